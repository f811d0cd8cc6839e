//! `codeweft query --engine sql`: answers from a file of the SQLite export, without a workspace.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use codeweft_ide::api::{ApiError, CheckedRequest, ErrorType, GraphResponse};
use codeweft_store::{SqlError, SqlFile, answer_from_file};

/// What answers a request, if not the database of a workspace.
#[derive(Debug, Args)]
pub struct FromFile {
    /// What answers: the database of the workspace, or SQL on a file [default: sql if --db is given]
    #[arg(long, value_enum, value_name = "ENGINE", requires_if("sql", "db"))]
    engine: Option<Engine>,
    /// Answer from this file of export --format sqlite alone; no workspace is read
    #[arg(long, value_name = "FILE", conflicts_with_all = ["disk", "root"])]
    db: Option<PathBuf>,
    /// With --db: the seconds after which the request is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "db")]
    timeout: u64,
}

/// What answers a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Engine {
    Live,
    Sql,
}

impl FromFile {
    /// Returns whether a request is answered from a file.
    ///
    /// # Errors
    /// A file is given to the engine that takes none.
    pub fn is_chosen(&self) -> Result<bool, ApiError> {
        match (self.engine, &self.db) {
            (Some(Engine::Live), Some(_)) => Err(ApiError::invalid_request(
                "--db: the live engine answers from the workspace; --engine sql takes a file",
            )),
            (_, db) => Ok(db.is_some()),
        }
    }

    /// Answers a request from the file.
    ///
    /// # Errors
    /// The file cannot be read or is of another schema; as the engine documents them.
    pub fn answer(&self, request: &CheckedRequest) -> Result<GraphResponse, ApiError> {
        let Some(db) = &self.db else {
            return Err(ApiError::invalid_request("--engine sql: --db is missing"));
        };
        let mut file = SqlFile::open(db).map_err(|error| match error {
            SqlError::Unreadable { .. } | SqlError::Foreign { .. } => ApiError::new(
                ErrorType::InvalidRequest,
                error.to_string(),
                "codeweft export --format sqlite writes such a file",
            ),
            _ => ApiError::new(
                ErrorType::IndexCorrupt,
                error.to_string(),
                "write the file again",
            ),
        })?;
        answer_from_file(&mut file, request, Duration::from_secs(self.timeout))
    }
}
