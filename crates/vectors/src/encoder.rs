//! The encoder: texts to vectors, by a BERT of sentences (mean of the last layer over the tokens, to length 1).

/// The most tokens of a declaration's text that are read.
pub const MAX_TEXT_TOKENS: usize = 40;

pub use with::Encoder;

#[cfg(feature = "encoder")]
mod with {
    use std::fs;
    use std::path::Path;

    use candle_core::{DType, Device, Tensor};
    use candle_nn::VarBuilder;
    use candle_transformers::models::bert::{BertModel, Config};
    use tokenizers::{Tokenizer, TruncationParams};

    use super::MAX_TEXT_TOKENS;
    use crate::models::{FILES, ModelError, ModelId, id_of};

    /// The most tokens of a query that are read.
    const MAX_QUERY_TOKENS: usize = 256;

    /// A model that is loaded.
    pub struct Encoder {
        id: ModelId,
        dimensions: usize,
        of_texts: Tokenizer,
        of_queries: Tokenizer,
        model: BertModel,
    }

    impl Encoder {
        /// Loads a model from its folder.
        ///
        /// # Errors
        /// It is none, or of another kind than BERT.
        pub fn load(folder: &Path) -> Result<Encoder, ModelError> {
            let id = id_of(folder)?;
            let unusable = |words: String| ModelError::Unusable {
                folder: folder.to_owned(),
                words,
            };
            let read = |file: &str| {
                let path = folder.join(file);
                fs::read(&path).map_err(|error| ModelError::Disk(path, error))
            };
            let [config, tokenizer, weights] = FILES;
            let config: Config = serde_json::from_slice(&read(config)?)
                .map_err(|error| unusable(format!("config.json is none of BERT: {error}")))?;
            let tokenizer = Tokenizer::from_bytes(read(tokenizer)?)
                .map_err(|error| unusable(format!("tokenizer.json: {error}")))?;
            let cut = |most: usize| {
                let mut tokenizer = tokenizer.clone();
                tokenizer.with_padding(None);
                let truncation = TruncationParams {
                    max_length: most.min(config.max_position_embeddings),
                    ..TruncationParams::default()
                };
                let cut = tokenizer.with_truncation(Some(truncation)).map(|_| ());
                cut.map_err(|error| unusable(error.to_string()))?;
                Ok(tokenizer)
            };
            let (of_texts, of_queries) = (cut(MAX_TEXT_TOKENS)?, cut(MAX_QUERY_TOKENS)?);
            let weights =
                VarBuilder::from_buffered_safetensors(read(weights)?, DType::F32, &Device::Cpu)
                    .map_err(|error| unusable(format!("model.safetensors: {error}")))?;
            let model = BertModel::load(weights, &config)
                .map_err(|error| unusable(format!("model.safetensors: {error}")))?;
            Ok(Encoder {
                id,
                dimensions: config.hidden_size,
                of_texts,
                of_queries,
                model,
            })
        }

        /// Returns which model it is.
        pub fn id(&self) -> ModelId {
            self.id
        }

        /// Returns how many numbers its vectors have.
        pub fn dimensions(&self) -> usize {
            self.dimensions
        }

        /// Returns the vector of a declaration's text, of which the first 40 tokens are read; `None` if it has none.
        pub fn encode(&self, text: &str) -> Option<Vec<f32>> {
            self.vector(&self.of_texts, text)
        }

        /// Returns the vector of a query, of which the first 256 tokens are read; `None` if it has none.
        pub fn encode_query(&self, text: &str) -> Option<Vec<f32>> {
            self.vector(&self.of_queries, text)
        }

        fn vector(&self, tokenizer: &Tokenizer, text: &str) -> Option<Vec<f32>> {
            let encoding = tokenizer.encode(text, true).ok()?;
            if encoding.get_ids().is_empty() {
                return None;
            }
            self.forward(encoding.get_ids()).ok()
        }

        fn forward(&self, ids: &[u32]) -> candle_core::Result<Vec<f32>> {
            let ids = Tensor::new(ids, &Device::Cpu)?.unsqueeze(0)?;
            let types = ids.zeros_like()?;
            let states = self.model.forward(&ids, &types, None)?;
            let mean = states.mean(1)?.squeeze(0)?;
            let length = mean.sqr()?.sum_all()?.sqrt()?;
            mean.broadcast_div(&length)?.to_vec1()
        }
    }
}

#[cfg(not(feature = "encoder"))]
mod with {
    use std::path::Path;

    use crate::models::{ModelError, ModelId, id_of};

    /// A model that is loaded; this build loads none.
    pub struct Encoder(ModelId);

    impl Encoder {
        /// Loads a model from its folder.
        ///
        /// # Errors
        /// Always: it is no model, or this build has no encoder.
        pub fn load(folder: &Path) -> Result<Encoder, ModelError> {
            id_of(folder)?;
            Err(ModelError::NotBuilt)
        }

        /// Returns which model it is.
        pub fn id(&self) -> ModelId {
            self.0
        }

        /// Returns how many numbers its vectors have.
        pub fn dimensions(&self) -> usize {
            0
        }

        /// Returns no vector.
        pub fn encode(&self, _text: &str) -> Option<Vec<f32>> {
            None
        }

        /// Returns no vector.
        pub fn encode_query(&self, _text: &str) -> Option<Vec<f32>> {
            None
        }
    }
}

#[cfg(all(test, feature = "encoder"))]
mod tests {
    use super::*;

    /// Needs a model: the folder that CODEWEFT_TEST_MODEL names.
    #[test]
    fn texts_that_mean_the_same_are_nearer_than_others() {
        let Some(folder) = std::env::var_os("CODEWEFT_TEST_MODEL") else {
            eprintln!("skipped: CODEWEFT_TEST_MODEL names no folder with a model");
            return;
        };
        let encoder = Encoder::load(folder.as_ref()).expect("a model");
        let vector = |text| encoder.encode(text).expect("a vector");
        let [one, other, far] = [
            vector("func DeleteUser(id int) error removes an account"),
            vector("def remove_account(user): erases a user"),
            vector("class ColorTable: red, green and blue of pixels"),
        ];
        let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        assert!((product(&one, &one) - 1.0).abs() < 1e-4);
        assert!(product(&one, &other) > product(&one, &far) + 0.2);
    }

    #[test]
    fn files_that_are_no_bert_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        for file in crate::models::FILES {
            std::fs::write(folder.path().join(file), "{}").expect("written");
        }
        let error = Encoder::load(folder.path()).map(|_| ()).expect_err("none");
        assert!(error.to_string().contains("config.json is none of BERT"));
    }
}
