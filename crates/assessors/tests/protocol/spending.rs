//! Usage, budgets and concurrency.

use assize_assessors::{BudgetLimits, ModelError};
use assize_kernel::Questionnaire;

use crate::stage::{Reply, asked, endpoint, good, model, prompt, settings};

#[tokio::test]
async fn every_limit_stops_the_next_question() {
    // One answer costs 1000 × 2 + 100 × 10 = 3000 millionths, and 1100 tokens.
    let limits = [
        (BudgetLimits { calls: Some(1), ..BudgetLimits::default() }, "all 1 calls are used up"),
        (BudgetLimits { tokens: Some(1100), ..BudgetLimits::default() }, "all 1100 tokens are used up"),
        (BudgetLimits { cost: Some(0.003), ..BudgetLimits::default() }, "all money (0.003) is used up"),
    ];
    for (budget, told) in limits {
        let (address, _script) =
            endpoint(vec![Reply::Says(good(), "stop"), Reply::Says(good(), "stop")]).await;
        let mut limited = settings(address);
        limited.budget = budget;
        let model = model(limited);
        let first = model.assess(&prompt(), &asked()).await;
        assert!(first.answer.is_ok());
        assert!((first.usage.cost - 0.003).abs() < 1e-12);
        let second = model.assess(&prompt(), &asked()).await;
        assert_eq!(second.answer, Err(ModelError::Budget(told.into())));
        model.budget().renew(2);
        assert!(model.assess(&prompt(), &asked()).await.answer.is_ok(), "another day");
        assert_eq!(model.budget().spent().total.calls, 2);
    }
}

#[tokio::test]
async fn nothing_to_ask_costs_nothing() {
    let model = model(settings("127.0.0.1:9".parse().unwrap()));
    let nothing = Questionnaire { sources: Vec::new(), items: Vec::new() };
    let assessment = model.assess(&prompt(), &nothing).await;
    assert_eq!(assessment.answer, Ok(serde_json::json!({})));
    assert_eq!(assessment.usage.calls, 0);
}

#[tokio::test]
async fn only_so_many_are_asked_at_once() {
    let (address, script) = endpoint(vec![Reply::Hangs, Reply::Hangs, Reply::Hangs]).await;
    let mut narrow = settings(address);
    (narrow.concurrency, narrow.timeout_seconds, narrow.attempts) = (2, 1, 1);
    let (model, prompt, asked) = (model(narrow), prompt(), asked());
    let all = [model.assess(&prompt, &asked), model.assess(&prompt, &asked), model.assess(&prompt, &asked)];
    let [one, two, three] = all;
    let watching = async {
        // Until two have come; a third would have come with them.
        while script.requests.lock().unwrap().len() < 2 {
            tokio::task::yield_now().await;
        }
        script.requests.lock().unwrap().len()
    };
    let (_, _, _, seen) = tokio::join!(one, two, three, watching);
    assert_eq!(seen, 2);
}
