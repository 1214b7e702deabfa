//! HTTP API of contests: tasks, teams, answers, judging, hints, import and export.

pub(crate) mod answers;
pub(crate) mod contests;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod judging;
pub(crate) mod list;
pub(crate) mod logs;
pub(crate) mod media;
pub(crate) mod media_cache;
pub(crate) mod open_from_file;
pub(crate) mod overruling;
pub(crate) mod programme;
pub(crate) mod team_users;
pub(crate) mod teams;
