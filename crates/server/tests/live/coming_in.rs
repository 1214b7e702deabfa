//! Authorization of event streams: by topic, and until the token expires or is revoked.

use assize_kernel::{Digest, Millis, Role};
use assize_ledger::AccessToken;
use assize_server::HttpSettings;

use crate::hall::Hall;

#[tokio::test]
async fn what_is_meant_for_one_participant_is_heard_by_them_and_by_judges_alone() {
    let hall = Hall::open();
    let ants = hall.add("spring", "ants", 1).await;
    let bees = hall.add("spring", "bees", 1).await;
    let listeners = [
        (String::new(), vec![]),
        (hall.token(Role::Participant, "ants", "tally/spring"), vec![ants]),
        (hall.token(Role::Participant, "bees", "tally/spring"), vec![bees]),
        (hall.token(Role::Participant, "ants", "tally/autumn"), vec![]),
        (hall.token(Role::Viewer, "ants", "tally/spring"), vec![]),
        (hall.token(Role::Judge, "judge", ""), vec![ants, bees]),
        (hall.token(Role::Judge, "judge", "tally/autumn"), vec![]),
        (hall.token(Role::Admin, "admin", ""), vec![ants, bees]),
    ];
    for (token, expected) in listeners {
        let mut away = hall.listen(&["tally/spring"], Some(0), &token).await.unwrap();
        let mut here = hall.listen(&["tally/spring", "board/tally"], None, &token).await.unwrap();
        assert_eq!(here.next().await.unwrap().event, "hello");
        assert_eq!(away.ids(expected.len()).await, expected);
        // The board is public and its event comes last, so everything before it has been sent.
        let own = hall.add("spring", "ants", 1).await;
        let first = here.next().await.unwrap();
        let told = expected.contains(&ants);
        assert_eq!((first.event.as_str(), first.id), (if told { "Added" } else { "board" }, Some(own)));
    }
}

#[tokio::test]
async fn one_too_many_is_asked_to_come_back() {
    let hall = Hall::with(HttpSettings { event_streams: 2, ..HttpSettings::default() });
    hall.add("spring", "ants", 1).await;
    let listen = async || hall.listen(&["tally/spring"], None, "").await;
    let (first, _second) = (listen().await.unwrap(), listen().await.unwrap());
    assert_eq!(hall.clerk.live().subscriber_count(), 2);
    let (status, problem) = listen().await.err().unwrap();
    assert_eq!((status, &problem["code"]), (503, &"live.too_many".into()));
    drop(first);
    assert_eq!(hall.clerk.live().subscriber_count(), 1);
    assert!(listen().await.is_ok());
}

#[tokio::test]
async fn a_token_that_is_taken_back_or_expires_ends_its_streams_and_no_others() {
    let hall = Hall::open();
    hall.add("spring", "ants", 1).await;
    let (gone, good) = (hall.token(Role::Judge, "one", ""), hall.token(Role::Judge, "two", ""));
    let short = AccessToken {
        hash: Digest::of(b"short"),
        actor: "judge:three".into(),
        scope: String::new(),
        label: String::new(),
        issued: hall.clerk.now(),
        issued_by: String::new(),
        expires: Some(hall.clerk.now() + Millis(1_500)),
        revoked: None,
    };
    hall.admit(short);
    let [mut gone_ear, mut good_ear, mut short_ear] = {
        let listen = async |token: &str| hall.listen(&["tally/spring"], None, token).await.unwrap();
        [listen(&gone).await, listen(&good).await, listen("short").await]
    };
    for ear in [&mut gone_ear, &mut good_ear, &mut short_ear] {
        assert_eq!(ear.next().await.unwrap().event, "hello");
    }
    hall.clerk.live().disconnect_token(&Digest::of(gone.as_bytes()));
    assert_eq!(gone_ear.next().await, None);
    assert_eq!(short_ear.next().await, None);
    let position = hall.add("spring", "ants", 1).await;
    assert_eq!(good_ear.next().await.unwrap().id, Some(position));
}

#[tokio::test]
async fn a_server_that_stops_ends_streams_and_lets_nobody_in() {
    let hall = Hall::open();
    hall.add("spring", "ants", 1).await;
    let mut ear = hall.listen(&["tally/spring"], None, "").await.unwrap();
    assert_eq!(ear.next().await.unwrap().event, "hello");
    hall.clerk.live().close();
    assert_eq!(ear.next().await, None);
    let (status, problem) = hall.listen(&["tally/spring"], None, "").await.err().unwrap();
    assert_eq!((status, &problem["code"]), (503, &"server.closing".into()));
}
