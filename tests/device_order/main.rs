//! Random CUDA programs: what the analyser says of them against what a GPU did, and against an independent order.

mod analysis;
mod compare;
mod encode;
mod generate;
mod outcomes;
mod program;
mod random;
mod reference;
mod render;

#[test]
fn whole() {
    let mut comparison = compare::Comparison::default();
    for record in outcomes::recorded() {
        comparison.add(&record);
    }
    println!("{comparison}");
}
