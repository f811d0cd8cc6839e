//! One exchange of an editor and an agent, with the server killed at one of its steps: the answers
//! are those of an exchange without a kill, and nothing is left over. By default three steps are
//! tried; `CODEWEFT_SLOW=1` tries all forty.

#[path = "../fixture/mod.rs"]
mod fixture;
mod steps;
mod transcript;
#[path = "../workspace/mod.rs"]
mod workspace;

use steps::STEPS;
use transcript::{Kill, Transcript};

#[test]
fn a_kill_at_any_step_changes_no_answer_and_leaves_nothing() {
    let slow = std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1");
    let without = Transcript::record(None);
    assert_eq!(without.answers.len(), STEPS.len());
    let again = Transcript::record(None);
    assert_eq!(without, again, "it differs without a kill");
    let steps: Vec<usize> = if slow {
        (0..STEPS.len()).collect()
    } else {
        println!("skipped: 37 of 40 steps; CODEWEFT_SLOW=1 tries all");
        // An agent's question, one over unsaved text, an editor's change.
        vec![0, 8, 13]
    };
    let mut differing = Vec::new();
    for step in &steps {
        // Before a step, and in the middle of it, by turns.
        let kill = match step % 2 {
            0 => Kill::Before(*step),
            _ => Kill::During(*step),
        };
        let with = Transcript::record(Some(kill));
        if let Some(words) = without.difference(&with) {
            differing.push(format!("{kill:?}: {words}"));
        }
    }
    println!(
        "{} transcripts with a kill compared, {} differ",
        steps.len(),
        differing.len()
    );
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
