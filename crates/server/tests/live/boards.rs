//! Board events: sent at once when the board is quiet, coalesced when it is busy.

use crate::hall::Hall;

#[tokio::test]
async fn a_busy_board_is_told_now_and_then_and_ends_up_right() {
    let hall = Hall::open();
    hall.add("spring", "ants", 1).await;
    let mut ear = hall.listen(&["board/tally"], None, "").await.unwrap();
    assert_eq!(ear.next().await.unwrap().event, "hello");
    for _ in 0..10 {
        hall.add_many("spring", |each| format!("team{}", each % 50), 200).await;
    }
    let (mut events, mut last) = (0, 1);
    while last < 2_001 {
        let heard = ear.next().await.unwrap();
        assert!(heard.id > Some(last), "{heard:?}");
        assert!(heard.data["rows"].as_array().unwrap().len() <= 50);
        (events, last) = (events + 1, heard.id.unwrap());
        let rows = heard.data["rows"].as_array().unwrap();
        assert!(last < 2_001 || rows.iter().all(|row| row["points"] == 40.0 && row["rank"] == 1));
    }
    assert!(events < 1_000, "{events} events for 2000 changes");
}

#[tokio::test]
async fn more_lines_than_fit_are_not_told_one_by_one() {
    let hall = Hall::open();
    hall.add_many("spring", |each| format!("team{each}"), 300).await;
    let mut ear = hall.listen(&["board/tally"], Some(1), "").await.unwrap();
    let page = ear.next().await.unwrap();
    assert_eq!((&page.data["more"], &page.data["participants"]), (&true.into(), &300.into()));
    let first = hall.add("spring", "team0", 1).await;
    assert_eq!(ear.next().await.unwrap().id, Some(first));
    hall.add_many("spring", |each| format!("team{each}"), 300).await;
    let mut told = 0;
    loop {
        let heard = ear.next().await.unwrap();
        let rows = heard.data["rows"].as_array().unwrap().len();
        assert!(rows <= 100, "{rows}");
        told += rows;
        if heard.data["more"] == true || told == 300 {
            break;
        }
    }
}
