//! Small sources and the facts they become.

use crate::facts::ir::*;
use crate::facts::{FileFacts, extract};
use crate::syntax::{Defines, collect_macros};

fn facts(source: &str) -> FileFacts {
    extract(
        source.as_bytes(),
        &Defines::default(),
        &collect_macros(source.as_bytes()),
    )
}

fn function(facts: &FileFacts, name: &str) -> Function {
    let found = facts
        .functions
        .iter()
        .find(|function| function.path.join("::") == name);
    found
        .unwrap_or_else(|| panic!("no function {name} in {:?}", facts.functions))
        .clone()
}

/// The statements of `void f() { … }`.
fn body(statements: &str) -> Vec<Stmt> {
    function(&facts(&format!("void f() {{ {statements} }}")), "f").body
}

fn expression(text: &str) -> Expr {
    match body(&format!("x = {text};")).remove(0).kind {
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign { value, .. },
            ..
        }) => *value,
        other => panic!("no assignment: {other:?}"),
    }
}

fn variables(statement: &Stmt) -> &[Variable] {
    match &statement.kind {
        StmtKind::Declare(variables) => variables,
        other => panic!("no declaration: {other:?}"),
    }
}

#[test]
fn launch_keeps_kernel_configuration_and_arguments() {
    let source = "void f() { a::k<float, 4><<<grid, dim3(2, 3), 0, s>>>(p, n); }";
    let facts = facts(source);
    let StmtKind::Expr(Expr {
        kind: ExprKind::Launch(launch),
        span,
    }) = &function(&facts, "f").body[0].kind
    else {
        panic!("no launch")
    };
    assert_eq!(
        &source[span.start as usize..span.end as usize],
        "a::k<float, 4><<<grid, dim3(2, 3), 0, s>>>(p, n)"
    );
    let ExprKind::Name(kernel) = &launch.kernel.kind else {
        panic!("no name")
    };
    assert_eq!(
        (
            kernel.path.join("::").as_str(),
            kernel.template_args.join("|").as_str()
        ),
        ("a::k", "float|4")
    );
    assert_eq!((launch.config.len(), launch.args.len()), (4, 2));
    assert_eq!(
        (facts.quality.launches_seen, facts.quality.launches_recovered),
        (1, 1)
    );
}

#[test]
fn qualifiers_give_functions_their_target_and_variables_their_space() {
    let facts = facts(
        "template <typename T> __global__ void k(T* p) {}\n__device__ int d() { return 1; }\n\
         static __host__ __device__ inline int hd() { return 1; }\nint h() { return 1; }\n\
         __device__ volatile int flag = 0;\n__constant__ float c[4];",
    );
    let targets: Vec<Target> = facts.functions.iter().map(|function| function.target).collect();
    assert_eq!(
        targets,
        [Target::Kernel, Target::Device, Target::HostDevice, Target::Host]
    );
    assert_eq!(facts.functions[0].template_params, ["T"]);
    assert!(facts.functions[2].internal);
    let spaces: Vec<_> = facts.globals.iter().map(|global| global.variable.space).collect();
    assert_eq!(spaces, [Some(MemorySpace::Device), Some(MemorySpace::Constant)]);
    assert!(facts.globals[0].variable.ty.volatile);
}

#[test]
fn constructor_arguments_that_look_like_parameters_are_initialisers() {
    let body = body("dim3 grid(n); dim3 block(BX, n * m); std::thread t(f(y), a[3]); int g(int); T z();");
    assert_eq!(body.len(), 3);
    let Some(Init::Parens(args)) = &variables(&body[1])[0].init else {
        panic!("no arguments")
    };
    assert!(matches!(
        args[1].kind,
        ExprKind::Binary {
            op: BinaryOp::Multiply,
            ..
        }
    ));
    let Some(Init::Parens(args)) = &variables(&body[2])[0].init else {
        panic!("no arguments")
    };
    assert!(matches!(args[0].kind, ExprKind::Call(_)));
    assert!(matches!(args[1].kind, ExprKind::Index { .. }));
}

#[test]
fn casts_of_every_spelling_are_casts() {
    for text in [
        "(int)y",
        "(T)(y)",
        "(size_t)-y",
        "static_cast<int>(y)",
        "(void*)&y",
        "(unsigned int)(y)",
    ] {
        assert!(matches!(expression(text).kind, ExprKind::Cast { .. }), "{text}");
    }
    for text in ["float(3)", "std::vector<int>(n)", "float4{1, 2}"] {
        assert!(
            matches!(expression(text).kind, ExprKind::Construct { .. }),
            "{text}"
        );
    }
    assert!(matches!(expression("(n) - y").kind, ExprKind::Binary { .. }));
}
