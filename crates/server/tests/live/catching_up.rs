//! Catch-up after a reconnect: missed events come from the ledger in order, or the client is told that there
//! are too many.

use assize_kernel::Role;

use crate::hall::Hall;

#[tokio::test]
async fn several_streams_are_told_in_the_order_of_the_ledger_however_far_behind() {
    let hall = Hall::open();
    for _ in 0..15 {
        for tally in ["spring", "autumn", "winter"] {
            hall.add_many(tally, |_| "ants".into(), 40).await;
        }
    }
    let judge = hall.token(Role::Judge, "judge", "");
    for last in [0, 100, 799, 800, 801, 1_500, 1_700] {
        let mut ear = hall.listen(&["tally/spring", "tally/winter"], Some(last), &judge).await.unwrap();
        let of_others = |position: &u64| (position - 1) / 40 % 3 != 1;
        let expected: Vec<u64> = (last + 1..=1_800).filter(of_others).collect();
        assert_eq!(ear.ids(expected.len()).await, expected, "after {last}");
    }
}

#[tokio::test]
async fn who_missed_too_much_is_told_to_load_again_and_who_missed_a_little_less_is_told_all() {
    let hall = Hall::open();
    hall.add_many("spring", |_| "ants".into(), 5_000).await;
    hall.add_many("autumn", |_| "ants".into(), 5_000).await;
    hall.add_many("spring", |_| "ants".into(), 5_001).await;
    let judge = hall.token(Role::Judge, "judge", "");
    let mut ear = hall.listen(&["tally/spring", "board/tally"], Some(0), &judge).await.unwrap();
    let reset = ear.next().await.unwrap();
    assert_eq!((reset.event.as_str(), reset.id), ("reset", Some(15_001)));
    assert_eq!(ear.next().await.unwrap().data["reset"], true);
    assert_eq!(hall.add("spring", "ants", 1).await, 15_002);
    assert_eq!(ear.next().await.unwrap().id, Some(15_002));
    let mut ear = hall.listen(&["tally/spring"], Some(2), &judge).await.unwrap();
    let expected: Vec<u64> = (3..=5_000).chain(10_001..=15_002).collect();
    assert_eq!(expected.len(), 10_000);
    assert_eq!(ear.ids(10_000).await, expected);
}

#[tokio::test]
async fn who_reads_nothing_is_dropped_and_hears_the_rest_when_it_comes_back() {
    let hall = Hall::open();
    let judge = hall.token(Role::Judge, "judge", "");
    hall.add("spring", "ants", 1).await;
    let mut deaf = hall.listen(&["tally/spring"], None, &judge).await.unwrap();
    let mut keen = hall.listen(&["tally/spring"], None, &judge).await.unwrap();
    assert_eq!((deaf.ids(1).await, keen.ids(1).await), (vec![1], vec![1]));
    for round in 0..10 {
        hall.add_many("spring", |_| "ants".into(), 100).await;
        let expected: Vec<u64> = (round * 100 + 2..round * 100 + 102).collect();
        assert_eq!(keen.ids(100).await, expected);
    }
    assert_eq!(deaf.next().await, None);
    let mut back = hall.listen(&["tally/spring"], Some(1), &judge).await.unwrap();
    assert_eq!(back.ids(1_000).await, (2..=1_001).collect::<Vec<u64>>());
}
