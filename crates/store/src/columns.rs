//! A Parquet file of required columns: texts, numbers and flags.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// The rows of a row group: what engines read, and distribute, as one.
const GROUP: usize = 1 << 18;

/// A table in memory.
pub(crate) struct Table {
    name: &'static str,
    rows: usize,
    columns: Vec<(&'static str, Column)>,
}

enum Column {
    Text(Vec<ByteArray>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Flag(Vec<bool>),
}

/// Returns the metadata of a file: the writer, its version, and some numbers.
pub(crate) fn written_by(numbers: &[(&str, u64)]) -> Vec<KeyValue> {
    let mut about = vec![KeyValue::new(
        "codeweft_version".to_owned(),
        env!("CARGO_PKG_VERSION").to_owned(),
    )];
    let numbers = numbers.iter();
    about.extend(
        numbers.map(|(name, number)| KeyValue::new((*name).to_owned(), number.to_string())),
    );
    about
}

impl Table {
    /// Returns a table without columns, each of which is to have this number of rows.
    pub(crate) fn new(name: &'static str, rows: usize) -> Table {
        Table {
            name,
            rows,
            columns: Vec::new(),
        }
    }

    pub(crate) fn text<'t>(&mut self, name: &'static str, values: impl Iterator<Item = &'t str>) {
        // Equal neighbours share their bytes: most columns have long runs.
        let mut last: Option<(&'t str, ByteArray)> = None;
        let values = values.map(|value| match &last {
            Some((known, bytes)) if *known == value => bytes.clone(),
            _ => {
                let bytes = ByteArray::from(value);
                last = Some((value, bytes.clone()));
                bytes
            }
        });
        let values = values.collect();
        self.columns.push((name, Column::Text(values)));
    }

    /// Adds a column of numbers, the greatest of which is that of `i32`.
    pub(crate) fn int32(&mut self, name: &'static str, values: impl Iterator<Item = u32>) {
        let values = values.map(|value| i32::try_from(value).unwrap_or(i32::MAX));
        self.columns.push((name, Column::Int32(values.collect())));
    }

    pub(crate) fn int64(&mut self, name: &'static str, values: impl Iterator<Item = i64>) {
        self.columns.push((name, Column::Int64(values.collect())));
    }

    pub(crate) fn flag(&mut self, name: &'static str, values: impl Iterator<Item = bool>) {
        self.columns.push((name, Column::Flag(values.collect())));
    }

    /// Writes the table, compressed with zstd.
    pub(crate) fn write<W: Write + Send>(
        &self,
        out: W,
        about: &[KeyValue],
    ) -> Result<(), ParquetError> {
        let fields: Result<Vec<_>, _> = self.columns.iter().map(schema).collect();
        let schema = Type::group_type_builder(self.name)
            .with_fields(fields?)
            .build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("codeweft ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(about.to_vec()))
            .build();
        let mut file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        for start in (0..self.rows).step_by(GROUP) {
            let end = (start + GROUP).min(self.rows);
            let mut group = file.next_row_group()?;
            for (_, column) in &self.columns {
                let Some(mut writer) = group.next_column()? else {
                    break;
                };
                match column {
                    Column::Text(all) => {
                        let values = all.get(start..end).unwrap_or_default();
                        writer
                            .typed::<ByteArrayType>()
                            .write_batch(values, None, None)?;
                    }
                    Column::Int32(all) => {
                        let values = all.get(start..end).unwrap_or_default();
                        writer
                            .typed::<Int32Type>()
                            .write_batch(values, None, None)?;
                    }
                    Column::Int64(all) => {
                        let values = all.get(start..end).unwrap_or_default();
                        writer
                            .typed::<Int64Type>()
                            .write_batch(values, None, None)?;
                    }
                    Column::Flag(all) => {
                        let values = all.get(start..end).unwrap_or_default();
                        writer.typed::<BoolType>().write_batch(values, None, None)?;
                    }
                }
                writer.close()?;
            }
            group.close()?;
        }
        file.close()?;
        Ok(())
    }
}

fn schema((name, column): &(&'static str, Column)) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match column {
        Column::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        Column::Int32(_) => (PhysicalType::INT32, None),
        Column::Int64(_) => (PhysicalType::INT64, None),
        Column::Flag(_) => (PhysicalType::BOOLEAN, None),
    };
    let field = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(field))
}
