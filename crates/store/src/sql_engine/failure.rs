//! Why a question has no answer.

use codeweft_graph::answer::{ApiError, ErrorType};
use rusqlite::ErrorCode;

/// An error of SQLite, or one that is said to the client as it is.
#[derive(Debug)]
pub(super) enum Failure {
    Sql(rusqlite::Error),
    Said(Box<ApiError>),
}

/// What was found, or why nothing could be.
pub(super) type Found<T> = Result<T, Failure>;

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure::Sql(error)
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Failure {
        Failure::Said(Box::new(error))
    }
}

impl Failure {
    /// Returns the error for the client.
    pub(super) fn into_error(self) -> ApiError {
        let error = match self {
            Failure::Said(error) => return *error,
            Failure::Sql(error) => error,
        };
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => ApiError::new(
                ErrorType::LimitExceeded,
                "the time is over",
                "ask with a smaller depth, or give --timeout more seconds",
            ),
            Some(
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure,
            ) => ApiError::new(
                ErrorType::IndexCorrupt,
                format!("the database could not be read: {error}"),
                "write it again with codeweft export --format sqlite",
            ),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ApiError::new(
                ErrorType::IndexUnavailable,
                format!("the database is in use: {error}"),
                "ask again",
            ),
            _ => ApiError::new(
                ErrorType::Internal,
                format!("SQLite: {error}"),
                "write the database again with codeweft export --format sqlite",
            ),
        }
    }
}

/// Returns whether an error is one of a value in a row, not of the database.
pub(super) fn is_of_value(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::Utf8Error(..)
    )
}
