//! Lock-out: the last admin stays, a disabled user is enabled again, and the page asks before it disables.

use assize_kernel::Moment;
use assize_ledger::{AccessChange, Batch, CredentialStore, Ledger, SqliteLedger, UserAccount};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::installation::{Installation, login};

/// Logs in and returns the CSRF token.
fn enter(browser: &mut Browser, name: &str) -> String {
    let entered = browser.send("POST", "/api/v1/session", &[], &login(name).to_string());
    assert_eq!(entered.status, 201, "{}", entered.body);
    entered.json()["csrf"].as_str().unwrap().to_owned()
}

/// The status of a login with the right password.
fn status_of(browser: &mut Browser, name: &str) -> u16 {
    browser.send("POST", "/api/v1/session", &[], &login(name).to_string()).status
}

#[test]
fn nobody_disables_themselves_and_the_last_admin_is_disabled_by_nobody() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "admin", "");
    installation.add("bert", "admin", "");
    installation.add("carl", "admin", "contest/spring");
    installation.add("dora", "judge", "");
    let mut anna = Browser::new(&server);
    let csrf = enter(&mut anna, "anna");
    let mut disable = |name: &str| {
        let path = format!("/api/v1/users/{name}/disable");
        let told = anna.send("POST", &path, &[("x-csrf-token", &csrf)], "{}");
        (told.status, told.json()["code"].clone())
    };
    assert_eq!(disable("anna"), (409, json!("access.user.self")));
    assert_eq!(disable("bert"), (200, Value::Null));
    let admin = server.client(&server.admin_token());
    let (status, told) = admin.post("/api/v1/users/anna/disable", &json!({}), None).unwrap();
    assert_eq!((status, &told["code"]), (409, &json!("access.user.last_admin")), "{told}");
    let (code, said) = installation.run(&["user", "disable", "anna"], "");
    assert!(code == 2 && said.contains("`anna` is the only admin who can log in"), "{code} {said}");
    assert_eq!(disable("carl").0, 200, "an admin of one contest is not the last");
    assert_eq!(disable("dora").0, 200);
    assert_eq!(anna.get("/api/v1/session").status, 200);
    server.stop();
}

#[test]
fn a_disabled_user_is_enabled_and_logs_in_with_the_old_password() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "judge", "");
    let admin = server.client(&server.admin_token());
    let post = |path: &str| {
        let (status, told) = admin.post(path, &json!({}), None).unwrap();
        (status, told)
    };
    let mut anna = Browser::new(&server);
    assert_eq!(post("/api/v1/users/anna/enable").1["code"], "access.user.enabled");
    assert_eq!(post("/api/v1/users/bert/enable").1["code"], "access.user.unknown");
    assert_eq!(post("/api/v1/users/anna/disable").0, 200);
    assert_eq!(status_of(&mut anna, "anna"), 401);
    let (status, enabled) = post("/api/v1/users/anna/enable");
    assert_eq!(
        (status, &enabled["event"]),
        (200, &json!({ "UserEnabled": { "name": "anna" } })),
        "{enabled}"
    );
    assert_eq!(status_of(&mut anna, "anna"), 201);

    assert_eq!(installation.run(&["user", "disable", "anna"], "").0, 0);
    let (code, said) = installation.run(&["user", "password", "anna"], "password of anna\n");
    assert!(code == 0 && said.contains("disabled") && said.contains("assize user enable anna"), "{said}");
    assert_eq!(status_of(&mut anna, "anna"), 401);
    let (code, said) = installation.run(&["user", "add", "anna", "--role", "judge"], "password of anna\n");
    assert!(code == 2 && said.contains("disabled") && said.contains("assize user enable anna"), "{said}");
    assert_eq!(installation.run(&["user", "enable", "anna"], ""), (0, "`anna` can log in again\n".into()));
    assert_eq!(status_of(&mut anna, "anna"), 201);
    let (code, said) = installation.run(&["user", "enable", "anna"], "");
    assert_eq!((code, said.as_str()), (2, "assize: `anna` is not disabled\n"));
    server.stop();
}

#[test]
fn the_page_disables_a_user_only_after_a_second_step_and_enables_them_again() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "admin", "");
    installation.add("bert", "judge", "");
    let mut anna = Browser::new(&server);
    let csrf = enter(&mut anna, "anna");
    let mut bert = Browser::new(&server);
    enter(&mut bert, "bert");
    let mut send =
        |act: &str, name: &str| anna.submit("/people", &[("csrf", &csrf), ("do", act), ("name", name)]);

    let asked = send("disable", "bert");
    assert_eq!(asked.status, 200, "{}", asked.body);
    assert!(asked.body.contains("Shut out <strong>bert</strong>?"), "{}", asked.body);
    assert!(asked.body.contains(r#"name="do" value="disable-confirmed""#), "{}", asked.body);
    assert_eq!(bert.get("/api/v1/session").status, 200, "nothing has happened yet");
    assert_eq!(send("disable-confirmed", "bert").status, 200);
    assert_eq!(bert.get("/api/v1/session").status, 401);
    let enabled = send("enable", "bert");
    assert!(enabled.status == 200 && enabled.body.contains("can log in again"), "{}", enabled.body);
    assert_eq!(status_of(&mut bert, "bert"), 201);

    let oneself = send("disable-confirmed", "anna");
    assert!(oneself.status == 409 && oneself.body.contains("access.user.self"), "{}", oneself.body);
    let page = anna.get("/people").body;
    assert_eq!(page.matches("Shut out: ").count(), 1, "no button for oneself: {page}");
    server.stop();
}

#[test]
fn an_older_ledger_without_an_enabled_admin_has_a_way_out() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("ledger.db");
    let installation = Installation::of_file(&file);
    let server = installation.serve();
    installation.add("anna", "admin", "");
    server.stop();
    // Earlier versions disabled the last admin.
    let ledger = SqliteLedger::open(&file).unwrap();
    let anna = ledger.user("anna").unwrap().unwrap();
    let disabled = UserAccount { disabled: Some(Moment::from_millis(1)), ..anna };
    let batch = Batch { access: vec![AccessChange::User(disabled)], ..Batch::default() };
    let mut writer = ledger.writer().unwrap();
    writer.lock().unwrap().commit(&batch).unwrap();
    drop((writer, ledger));

    let server = installation.serve();
    let greeting = server.greeting().to_owned();
    assert!(
        greeting.contains("no admin can log in") && greeting.contains("assize user enable anna"),
        "{greeting}"
    );
    let mut anna = Browser::new(&server);
    assert_eq!(status_of(&mut anna, "anna"), 401);
    assert_eq!(installation.run(&["user", "enable", "anna"], "").0, 0);
    assert_eq!(status_of(&mut anna, "anna"), 201);
    server.stop();
    let server = installation.serve();
    assert!(!server.greeting().contains("no admin can log in"), "{}", server.greeting());
    server.stop();
}
