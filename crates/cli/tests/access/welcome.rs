//! The link of the first start, and the login pages.

use crate::browser::Browser;
use crate::installation::Installation;

const PASSWORD: &str = "correct horse & battery";

fn welcome(browser: &mut Browser, code: &str, name: &str, again: &str) -> crate::browser::Answer {
    let fields = [("code", code), ("name", name), ("password", PASSWORD), ("again", again)];
    browser.submit("/welcome", &fields)
}

#[test]
fn the_first_admin_chooses_a_name_and_a_password_once() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    let link = server.first_login();
    let path = link.strip_prefix(server.url()).unwrap();
    let code = path.strip_prefix("/welcome?code=").unwrap();
    let mut anna = Browser::new(&server);
    let page = anna.get(path);
    assert_eq!((page.status, page.hidden("code").as_str()), (200, code));
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe") && !page.body.contains("style="));
    assert_eq!(
        page.body.matches("<script").count(),
        page.body.matches("<script type=\"module\" src=\"/assets/").count()
    );
    assert_eq!((page.header("cache-control"), page.header("referrer-policy")), ("no-store", "same-origin"));
    assert_eq!(anna.get("/assets/page.css").header("content-type"), "text/css; charset=utf-8");

    let other = welcome(&mut anna, code, "anna", "another");
    assert!(
        other.status == 400 && other.body.contains("The two passwords are not the same"),
        "{}",
        other.body
    );
    let bad = welcome(&mut anna, code, "<b>", PASSWORD);
    assert!(bad.status == 400 && bad.body.contains("&lt;b&gt;") && !bad.body.contains("<b>"), "{}", bad.body);
    let wrong = welcome(&mut anna, "nonsense", "anna", PASSWORD);
    assert!(wrong.status == 403 && wrong.body.contains("This link is not known here"), "{}", wrong.body);
    let forged = anna.send("POST", "/welcome", &[("origin", "https://elsewhere.example")], "code=x");
    assert_eq!(forged.status, 403);

    let entered = welcome(&mut anna, code, "anna", PASSWORD);
    assert_eq!((entered.status, entered.header("location")), (303, "/"), "{}", entered.body);
    let home = anna.get("/");
    assert!(home.body.contains("<strong>anna</strong> (admin)"), "{}", home.body);
    assert_eq!(anna.get("/api/v1/session").json()["role"], "admin");

    let mut late = Browser::new(&server);
    for told in [late.get(path), welcome(&mut late, code, "bert", PASSWORD)] {
        assert!(told.status == 403 && told.body.contains("This link has been used"), "{}", told.body);
    }
    assert_eq!(late.cookie, None);
    server.stop();
    let server = installation.serve();
    assert!(!server.greeting().contains("first login"), "{}", server.greeting());
    server.stop();
}

#[test]
fn the_login_page_lets_people_in_and_out() {
    let installation = Installation::of_sqlite();
    let server = installation.serve();
    installation.add("anna", "judge", "contest");
    let mut anna = Browser::new(&server);
    assert!(anna.get("/").body.contains("href=\"/login\""));
    assert_eq!(anna.get("/login").status, 200);
    let wrong = anna.submit("/login", &[("name", "anna\""), ("password", "not the password")]);
    assert!(
        wrong.status == 401 && wrong.body.contains("The name or the password is wrong"),
        "{}",
        wrong.body
    );
    assert!(wrong.body.contains("value=\"anna&quot;\""), "what was typed is still there");
    let entered = anna.submit("/login", &[("name", "anna"), ("password", "password of anna")]);
    assert_eq!((entered.status, entered.header("location")), (303, "/"));
    let csrf = anna.get("/").hidden("csrf");
    let forged = anna.submit("/logout", &[("csrf", "nonsense")]);
    assert_eq!((forged.status, anna.get("/api/v1/session").status), (403, 200));
    let left = anna.submit("/logout", &[("csrf", &csrf)]);
    assert_eq!((left.status, left.header("location"), anna.cookie.clone()), (303, "/login", None));
    assert!(anna.get("/").body.contains("href=\"/login\""));
    server.stop();
}
