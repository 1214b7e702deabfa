"""Takes part in a contest with a client that was generated from DRES's document; scripts/try-dres-client runs it."""

import sys
import time

import dres_client
from dres_client import models


def show(step, answer):
    """Prints what came back, as the generated models have understood it."""
    if isinstance(answer, list):
        answer = [entry.to_dict() for entry in answer]
    elif hasattr(answer, "to_dict"):
        answer = answer.to_dict()
    print(f"   {step:<28} {answer}")


def must(holds, what):
    """Ends it when something is not as it should be."""
    if not holds:
        sys.exit(f"   not as it should be: {what}")


def refused(step, expected, call):
    """Calls what must be refused with this status."""
    try:
        answer = call()
    except dres_client.ApiException as problem:
        print(f"   {step:<28} {problem.status} {problem.body}")
        must(problem.status == expected, f"{step}: {problem.status} is not {expected}")
    else:
        sys.exit(f"   not as it should be: {step} was answered with {answer}")


def answer(video, start, end):
    """A submission of one answer."""
    one = models.ApiClientAnswer(mediaItemName=video, start=start, end=end)
    return models.ApiClientSubmission(answerSets=[models.ApiClientAnswerSet(answers=[one])])


def main(url, name, password):
    api = dres_client.ApiClient(dres_client.Configuration(host=url))
    user, status = dres_client.UserApi(api), dres_client.StatusApi(api)
    client, evaluation = dres_client.EvaluationClientApi(api), dres_client.EvaluationApi(api)
    submission, log = dres_client.SubmissionApi(api), dres_client.LogApi(api)

    def log_in(with_password):
        return user.post_api_v2_login(models.LoginRequest(username=name, password=with_password))

    refused("log in, wrong password", 401, lambda: log_in("not the password"))
    me = log_in(password)
    session = me.session_id
    show("log in", me.model_copy(update={"session_id": f"{session[:8]}…"}))
    clock = status.get_api_v2_status_time()
    show("the server's time", clock)
    must(abs(clock.time_stamp / 1000 - time.time()) < 60, "the time is in milliseconds")

    contests = client.get_api_v2_client_evaluation_list(session=session)
    show("evaluations", contests)
    contest = next(each for each in contests if each.status == models.ApiEvaluationStatus.ACTIVE).id
    task = client.get_api_v2_client_evaluation_current_task_by_evaluation_id(contest, session=session)
    show("current task", task)
    # The document names no `session` here: who reads the state is known by the cookie, or adds it by hand.
    api.default_headers["Cookie"] = f"SESSIONID={session}"
    show("user, by cookie", user.get_api_v2_user().username)
    show("state, by cookie", evaluation.get_api_v2_evaluation_by_evaluation_id_state(contest))
    del api.default_headers["Cookie"]

    event = models.QueryEvent(timestamp=clock.time_stamp, category="TEXT", type="free", value="a red car")
    events = models.QueryEventLog(timestamp=clock.time_stamp, events=[event])
    show("log queries", log.post_api_v2_log_query_by_evaluation_id(contest, session, query_event_log=events))
    found = models.RankedAnswer(answer=models.ApiClientAnswer(mediaItemName="V017", start=4890, end=5000), rank=1)
    results = models.QueryResultLog(
        timestamp=clock.time_stamp, sortType="rank", resultSetAvailability="top", results=[found], events=[event]
    )
    show("log results", log.post_api_v2_log_result_by_evaluation_id(contest, session, query_result_log=results))

    def submit(body):
        return submission.post_api_v2_submit_by_evaluation_id(contest, body, session=session)

    wrong = submit(answer("V001", 1000, 1000))
    show("submit, wrong", wrong)
    must(wrong.submission == models.ApiVerdictStatus.WRONG, "a wrong answer is WRONG")
    right = submit(answer("V017", 4890, 5000))
    show("submit, right", right)
    must(right.submission == models.ApiVerdictStatus.CORRECT, "a right answer is CORRECT")
    refused("submit, when the team is done", 412, lambda: submit(answer("V002", 1, 1)))
    refused("submit, elsewhere", 404, lambda: submission.post_api_v2_submit_by_evaluation_id(
        "nowhere", answer("V017", 1, 1), session=session))
    show("log out", user.get_api_v2_logout(session=session))
    refused("list, logged out", 401, lambda: client.get_api_v2_client_evaluation_list(session=session))


main(*sys.argv[1:])
