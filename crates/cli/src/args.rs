//! The command-line arguments; doc comments are the help texts.

mod calibrate;
mod demo;
mod eval;
mod serve;

use std::path::PathBuf;

use assize_engine::Scope;
use assize_kernel::{Actor, Digest, Role, StreamId};
use clap::{Args as ClapArgs, Parser, Subcommand};

use crate::access::{self, TokenExpiry};
pub(crate) use calibrate::{CalibrateAssessors, CalibrateCommand, CalibrateRadio, CalibrateSummary};
pub(crate) use demo::DemoArgs;
pub(crate) use eval::EvalArgs;
pub(crate) use serve::{LogFormat, ServeArgs};

/// What somebody did comes in; a verdict that can be defended comes out: every number explained, every input
/// remembered, every decision reproducible.
#[derive(Parser)]
#[command(name = "assize", version, max_term_width = 100, after_long_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  fine
  1  a difference or a negative finding: a case that fails, a verdict that comes out otherwise, a
     ledger that was changed
  2  wrong use: an unknown option, a file that is not there, an input that cannot be read
  3  our fault, or the machine's: a disk that is full, a database that is away

Environment:
  ASSIZE_DATA, ASSIZE_POSTGRES, ASSIZE_EPHEMERAL, ASSIZE_LISTEN, ASSIZE_QUEUE, ASSIZE_LOG and so on stand
  for the options of the same names; what is on the command line wins.

Settings file:
  Every option of `assize serve` may also stand in a TOML file, with underscores, as in
  rate_per_address = 500. It is read from --config, else from ASSIZE_CONFIG, else from assize.toml in
  the working directory if that is there. Command line and environment win over it.
  `assize serve --show-settings` says what is in effect, and where each comes from";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Look around: a server full of made-up data, with a contest running
    ///
    /// Nothing needs to be set up and nothing is kept, unless told otherwise. What there is comes from a
    /// seed: the same seed makes up the same. Ctrl-C ends it.
    Demo(DemoArgs),
    /// Run the server
    ///
    /// Everything is kept in one SQLite file in the working directory, unless told otherwise. An answer
    /// from the server means that it is on disk.
    Serve(ServeArgs),
    /// Judge documents without storing anything
    ///
    /// Takes one JSON document, or JSON lines, and writes one verdict a line. A line that cannot be
    /// judged gives a line `{"refused":…}` in its place, and the exit code 2 at the end.
    Judge(JudgeArgs),
    /// Judge many summaries: a table in, scores out, and what they come to
    ///
    /// Rows are read, judged on all cores and written in their order, however many there are. A row that
    /// cannot be judged is named and does not stop the others, and gives exit code 2 at the
    /// end. With --fail-under, a mean that is too low gives exit code 1.
    Eval(EvalArgs),
    /// Run case files: what must come out, comes out; and check scenarios
    Check(CheckArgs),
    /// Measure whoever assesses: by errors put into right answers, or beside what people said
    #[command(subcommand)]
    Calibrate(CalibrateCommand),
    /// Show how a verdict came to be, term by term
    Explain(ExplainArgs),
    /// Compute every verdict in the ledger again and compare, byte for byte
    Replay(ReplayArgs),
    /// See what would come of a history under another rulebook or with corrections
    ///
    /// Shows which verdicts would come out otherwise and who would move on the boards, and changes nothing.
    /// The exit code is 1 when something would. With --adopt it is so from then on; what stood before stays
    /// readable. This works beside a server that is running on the same data.
    Rejudge(RejudgeArgs),
    /// Look after the ledger: verify, export, import, back up, erase
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Carry one contest from ledger to ledger: export, import
    #[command(subcommand)]
    Contest(ContestCommand),
    /// Read rulebooks: show, check, compare
    #[command(subcommand)]
    Rulebook(RulebookCommand),
    /// Let programs in: give out tokens, list them, take them back
    ///
    /// Without a command it makes a new token and prints it, this once. All of this works beside a server
    /// that is running on the same data.
    Token(TokenArgs),
    /// Let people in: add them, list them, shut them out and let them in again, change their passwords
    #[command(subcommand)]
    User(UserCommand),
}

/// Where the ledger is.
#[derive(ClapArgs, Clone)]
pub(crate) struct StoreArgs {
    // `store.rs` reads the environment: clap would report variables as conflicts with the command line.
    /// The SQLite file [env: ASSIZE_DATA] [default: assize.db]
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Or a PostgreSQL database: postgres://user:password@host/database [env: ASSIZE_POSTGRES]
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub(crate) postgres: Option<String>,
    /// The settings file; `assize.toml` otherwise, when it is there
    #[arg(long, value_name = "FILE", env = "ASSIZE_CONFIG")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(ClapArgs)]
pub(crate) struct JudgeArgs {
    /// The court: contest, quest, radio or summary
    pub(crate) court: String,
    /// A file with one JSON document or JSON lines; `-` for standard input
    pub(crate) file: PathBuf,
    /// A rulebook that ships, by name, or a file; the court's default otherwise
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) rulebook: Option<String>,
    /// Have a model find what is judged, by its name in the settings file; where its answer cannot be used, the
    /// court's own reading takes over and the verdict says so
    #[arg(long, value_name = "NAME")]
    pub(crate) assessor: Option<String>,
    /// The settings file with the models; `assize.toml` otherwise
    #[arg(long, value_name = "FILE", env = "ASSIZE_CONFIG")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(ClapArgs)]
pub(crate) struct CheckArgs {
    /// Case files, or directories with case files in them
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Show what came out otherwise, and write it into the files in the place of what was expected
    #[arg(long, conflicts_with = "json")]
    pub(crate) bless: bool,
    /// Write the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct ExplainArgs {
    /// A record's position in the ledger, or a file with a verdict as JSON; `-` for standard input
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Write the verdict as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Write the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct RejudgeArgs {
    /// The history, such as `contest/spring`
    pub(crate) stream: StreamId,
    /// A rulebook that ships, by name, or a file; the one it is judged by otherwise
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) rulebook: Option<String>,
    /// A JSON file with one correction or a list of them; `-` for standard input
    ///
    /// For a contest: {"CorrectTask": {"task": "1", "points": "4890-5000"}}, also with "video_id" and
    /// "answer", or {"OverruleAnswer": {"position": 12, "outcome": "full"}}.
    #[arg(long, value_name = "FILE")]
    pub(crate) amend: Option<PathBuf>,
    /// Have it so from now on
    #[arg(long, requires = "reason")]
    pub(crate) adopt: bool,
    /// Why; recorded, and shown to those whose answers were overruled
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// Who says so: an admin or a judge, as the records have them
    #[arg(long = "as", value_name = "ROLE:NAME", default_value = "admin:organiser")]
    pub(crate) actor: Actor,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Write the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// Check the hash chain: whether anything in the past was changed
    Verify {
        #[command(flatten)]
        store: StoreArgs,
        /// A hash that must be in the ledger: of a receipt, or a head noted earlier
        ///
        /// A chain cannot show by itself that its end was cut off; a hash kept elsewhere can.
        #[arg(long, value_name = "HASH")]
        head: Option<Digest>,
        /// Write the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the whole ledger as JSON lines (without secrets: those are never in it)
    Export {
        /// The file to write; standard output otherwise
        file: Option<PathBuf>,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Read an export into an empty ledger, checking it on the way
    Import {
        /// The file to read; `-` for standard input
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Copy everything, secrets too, into a new SQLite file while the server goes on
    Backup {
        /// The file to write; must not exist
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Erase somebody's personal texts; the chain stays whole and says that it was done
    Erase {
        /// Whose, such as `contest/spring/team_01`
        subject: String,
        #[command(flatten)]
        store: StoreArgs,
    },
}

#[derive(Subcommand)]
pub(crate) enum ContestCommand {
    /// Write everything that came of a contest: records, verdicts, rulebooks, ground truth; no secret
    Export {
        /// Its name in addresses
        contest: String,
        /// The file to write; standard output otherwise
        file: Option<PathBuf>,
        /// json can be imported elsewhere; the others are tables for spreadsheets, as CSV
        #[arg(long, value_enum, default_value = "json")]
        format: ContestFormat,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Read a contest into a ledger that has none of that name: the same verdicts, the same boards
    ///
    /// Every digest is checked and every verdict computed again before anything is written. It works beside
    /// a server that is running on the same data.
    Import {
        /// The file to read, as `contest export` writes it; `-` for standard input
        file: PathBuf,
        /// What it is called here; as it was otherwise
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        store: StoreArgs,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum ContestFormat {
    /// Everything
    Json,
    /// Every verdict in order
    Submissions,
    /// Who stands where
    Board,
}

#[derive(Subcommand)]
pub(crate) enum RulebookCommand {
    /// List the rulebooks that ship, or print one
    Show {
        /// Such as `contest/competition`
        name: Option<String>,
    },
    /// Check rulebook files: every wrong key or value is named with its line
    Check {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Show in which parameters two rulebooks differ
    Diff {
        /// A file, or a rulebook that ships, such as `contest/competition`
        first: String,
        /// The other one
        second: String,
    },
}

#[derive(ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    pub(crate) command: Option<TokenCommand>,
    #[command(flatten)]
    pub(crate) new: NewTokenArgs,
}

#[derive(Subcommand)]
pub(crate) enum TokenCommand {
    /// Show which tokens there are; not the tokens themselves, which nobody knows but their owners
    List {
        #[command(flatten)]
        store: StoreArgs,
        /// Write them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a token back: a running server does not let it in any more
    Revoke {
        /// What it is called in the list
        id: String,
        #[command(flatten)]
        store: StoreArgs,
    },
}

#[derive(ClapArgs)]
pub(crate) struct NewTokenArgs {
    /// What the token's owner is called in the records
    #[arg(long, default_value = "organiser")]
    pub(crate) name: String,
    /// What its owner may do: admin, judge, app, participant or viewer
    #[arg(long, default_value = "admin", value_parser = access::role)]
    pub(crate) role: Role,
    /// A court, such as `contest`, or a stream, such as `contest/spring`; everything the role may otherwise
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) scope: Scope,
    /// For how long it is good, such as 90d, 12h or 30m, or until when, such as 2026-12-31T18:00:00Z
    #[arg(long, value_name = "TIME", value_parser = access::end)]
    pub(crate) expires: Option<TokenExpiry>,
    /// What it is for, to be found again in the list
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) label: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

#[derive(Subcommand)]
pub(crate) enum UserCommand {
    /// Add somebody; the password is asked for, or read from standard input
    Add {
        /// What they log in as, and are called in the records
        name: String,
        /// What they may do: admin, judge, app, participant or viewer
        #[arg(long, value_parser = access::role)]
        role: Role,
        /// A court, or a stream; everything the role may otherwise
        #[arg(long, default_value = "", hide_default_value = true)]
        scope: Scope,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Show who there is
    List {
        #[command(flatten)]
        store: StoreArgs,
        /// Write them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Shut somebody out, wherever they are logged in
    Disable {
        /// Whom
        name: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Let somebody who was shut out log in again, with the same password
    Enable {
        /// Whom
        name: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Give somebody another password, asked for as with `add`; whoever is logged in must log in again
    Password {
        /// Whom
        name: String,
        #[command(flatten)]
        store: StoreArgs,
    },
}
