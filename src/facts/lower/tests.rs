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

#[test]
fn ambiguous_statements_are_calls_and_launches() {
    let body = body("table[i]<<<g, b>>>(x); foo(int, x); table[i](x); new T*[n];");
    let kind = |index: usize| match &body[index].kind {
        StmtKind::Expr(expression) => &expression.kind,
        other => panic!("no expression: {other:?}"),
    };
    let ExprKind::Launch(launch) = kind(0) else {
        panic!("no launch")
    };
    assert!(matches!(launch.kernel.kind, ExprKind::Index { .. }));
    assert!(matches!(kind(1), ExprKind::Call(call) if call.args.len() == 2));
    assert!(matches!(kind(2), ExprKind::Call(call) if matches!(call.callee.kind, ExprKind::Index { .. })));
    assert!(matches!(kind(3), ExprKind::New { ty, array: Some(_), .. } if ty.pointers == 1));
}

#[test]
fn literals_have_their_values() {
    for (text, value) in [
        ("0x1F", 31),
        ("017", 15),
        ("0b101", 5),
        ("'\\n'", 10),
        ("'a'", 97),
        ("true", 1),
    ] {
        assert_eq!(expression(text).kind, ExprKind::Int(value), "{text}");
    }
    for (text, value, named) in [
        ("1'000'000ull", 1_000_000, "unsigned long"),
        ("5u", 5, "unsigned int"),
        ("1l", 1, "long"),
        ("0xffffffff", 0xffff_ffff, "unsigned int"),
        ("0xffffffffffffffff", -1, "unsigned long"),
    ] {
        let ExprKind::Cast { ty, operand } = expression(text).kind else {
            panic!("{text} has no type of its own")
        };
        assert_eq!(
            (ty.name.last(), operand.kind),
            (named, ExprKind::Int(value)),
            "{text}"
        );
    }
    assert_eq!(expression("1.5e3f").kind, ExprKind::Float(1500.0));
    assert_eq!(
        expression("\"a\" \"b\\n\"").kind,
        ExprKind::Str("ab\n".to_owned())
    );
}

#[test]
fn assembly_lists_outputs_first() {
    let body =
        body("asm volatile(\"ld.acquire.gpu.u32 %0, \" \"[%1];\" : \"=r\"(v) : \"l\"(p) : \"memory\");");
    let StmtKind::Expr(Expr {
        kind: ExprKind::Asm {
            text,
            operands,
            outputs,
        },
        ..
    }) = &body[0].kind
    else {
        panic!("no asm")
    };
    assert_eq!(
        (text.as_str(), operands.len(), *outputs),
        ("ld.acquire.gpu.u32 %0, [%1];", 2, 1)
    );
    assert_eq!(operands[1].kind, ExprKind::Name(Name::plain("p")));
}

#[test]
fn switch_sections_keep_their_labels_and_fall_through() {
    let body = body("switch (x) { case 1: case 2: f(); default: { g(); } break; }");
    let StmtKind::Switch { cases, .. } = &body[0].kind else {
        panic!("no switch")
    };
    let shape: Vec<_> = cases
        .iter()
        .map(|case| (case.labels.len(), case.body.len()))
        .collect();
    assert_eq!(shape, [(2, 1), (1, 2)]);
    assert_eq!(cases[1].labels, [None]);
}

#[test]
fn conditions_that_declare_name_their_variable() {
    let body = body("if (auto p = g()) h(); if (int r = f(); r > 0) {} while (T x = next()) {}");
    let StmtKind::If { init, condition, .. } = &body[0].kind else {
        panic!("no if")
    };
    assert_eq!(
        (init.len(), &condition.kind),
        (1, &ExprKind::Name(Name::plain("p")))
    );
    let StmtKind::If { init, condition, .. } = &body[1].kind else {
        panic!("no if")
    };
    assert!(init.len() == 1 && matches!(condition.kind, ExprKind::Binary { .. }));
    let StmtKind::Loop {
        condition: Some(condition),
        ..
    } = &body[2].kind
    else {
        panic!("no loop")
    };
    assert!(matches!(condition.kind, ExprKind::Assign { .. }));
}

#[test]
fn lambdas_keep_captures_and_know_where_they_run() {
    let ExprKind::Lambda(lambda) = expression("[=, &a, b = c, this] __device__ (int i) { return i; }").kind
    else {
        panic!("no lambda")
    };
    assert!(lambda.device && lambda.default == CaptureDefault::Copy && lambda.params.len() == 1);
    let captures: Vec<_> = lambda
        .captures
        .iter()
        .map(|c| (c.name.as_str(), c.reference, c.init.is_some()))
        .collect();
    assert_eq!(
        captures,
        [("a", true, false), ("b", false, true), ("this", false, false)]
    );
}

#[test]
fn openmp_directives_wrap_the_next_statement() {
    let body =
        body("f();\n#pragma omp parallel for num_threads(2)\nfor (;;) g();\n#pragma omp barrier\nh();");
    let StmtKind::OpenMp {
        directive,
        body: wrapped,
    } = &body[1].kind
    else {
        panic!("no directive")
    };
    assert_eq!(
        (directive.as_str(), wrapped.len()),
        ("parallel for num_threads(2)", 1)
    );
    let StmtKind::OpenMp {
        directive,
        body: wrapped,
    } = &body[2].kind
    else {
        panic!("no directive")
    };
    assert_eq!((directive.as_str(), wrapped.len(), body.len()), ("barrier", 0, 4));
}

#[test]
fn members_outside_their_class_are_told_by_their_paths() {
    let facts = facts(
        "namespace n { class A : public B<int> { A(int x); static void s(); int f = 3; public: ~A() {} \
         operator bool() const { return f; } static int count; }; }\n\
         n::A::A(int x) : B(x), f{x} {}\nvoid n::A::s() {}\nint n::A::count = 0;\nvoid Other::m() {}",
    );
    let constructor = facts
        .functions
        .iter()
        .find(|each| each.role == Role::Constructor && each.defined);
    let constructor = constructor.expect("a constructor");
    assert_eq!(
        (constructor.path.join("::").as_str(), constructor.namespaces),
        ("n::A::A", 1)
    );
    let members: Vec<_> = constructor
        .initialisers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(members, ["B", "f"]);
    assert_eq!(
        function(&facts, "n::A::operator bool").result,
        Type::plain("bool")
    );
    assert_eq!(function(&facts, "Other::m").role, Role::Method);
    assert_eq!(facts.classes[0].bases[0].to_string(), "B<int>");
    assert_eq!(facts.classes[0].fields.len(), 2);
    let external: Vec<_> = facts.globals.iter().map(|global| global.external).collect();
    assert_eq!(external, [true, false]);
}

#[test]
fn namespaces_decide_path_and_linkage() {
    let facts = facts(
        "namespace a::b { inline namespace v1 { namespace { void f() {} } void g(); } }\nvoid a::b::g() {}\n\
         extern \"C\" { static int h() { return 1; } }\nusing namespace a;",
    );
    assert!(function(&facts, "a::b::f").internal);
    assert_eq!(function(&facts, "a::b::f").namespaces, 2);
    assert!(
        facts
            .functions
            .iter()
            .all(|function| function.role == Role::Function)
    );
    assert!(function(&facts, "h").internal);
    assert_eq!(facts.using_namespaces, [Name::plain("a")]);
}

#[test]
fn enumerators_and_expression_macros_are_constants() {
    let facts = facts(
        "enum { A, B = 1 << 3, C };\nenum class E : int { X = N, Y };\n#define SIZE (1 << 10)\n#define ALIAS SIZE\n\
         #define MASK 0xffu\n#define EMPTY\n#define WORD static inline\n#define HEAD if (x) {\n",
    );
    let value = |name: &str| {
        let found = facts.constants.iter().find(|(path, _)| path.join("::") == name);
        found.map(|(_, value)| value.kind.clone())
    };
    assert_eq!(value("A"), Some(ExprKind::Int(0)));
    assert_eq!(value("C"), Some(ExprKind::Int(9)));
    assert!(matches!(
        value("E::Y"),
        Some(ExprKind::Binary {
            op: BinaryOp::Add,
            ..
        })
    ));
    assert!(matches!(
        value("SIZE"),
        Some(ExprKind::Binary {
            op: BinaryOp::ShiftLeft,
            ..
        })
    ));
    assert_eq!(value("ALIAS"), Some(ExprKind::Name(Name::plain("SIZE"))));
    assert!(matches!(
        value("MASK"),
        Some(ExprKind::Cast { ty, operand }) if ty.name.last() == "unsigned int" && operand.kind == ExprKind::Int(255)
    ));
    assert_eq!((value("EMPTY"), value("WORD"), value("HEAD")), (None, None, None));
}

#[test]
fn macros_that_do_something_or_are_expressions_are_functions() {
    let source = "#define RUN(k, n, ...) \\\n  do { k<<<n, 256>>>(__VA_ARGS__); \\\n  CHECK(cudaGetLastError()) } while (0)\n\
                  #define WRAP(x) RUN(x##_kernel, 1, \"a # b\")\n#define PLAIN(x) ((x) + 1)\n#define CALL(f) f(1)\n";
    let facts = facts(source);
    let names: Vec<_> = facts
        .functions
        .iter()
        .map(|function| function.path[0].as_str())
        .collect();
    assert_eq!(names, ["RUN", "WRAP", "PLAIN", "CALL"]);
    let run = function(&facts, "RUN");
    assert!(run.role == Role::Macro && run.params[2].pack && run.params[2].name == "__VA_ARGS__");
    let StmtKind::Loop { body, .. } = &run.body[0].kind else {
        panic!("no loop")
    };
    let StmtKind::Expr(Expr {
        kind: ExprKind::Launch(_),
        span,
    }) = &body[0].kind
    else {
        panic!("no launch")
    };
    assert_eq!(
        &source[span.start as usize..span.end as usize],
        "k<<<n, 256>>>(__VA_ARGS__)"
    );
    let StmtKind::Expr(Expr {
        kind: ExprKind::Call(call),
        ..
    }) = &function(&facts, "WRAP").body[0].kind
    else {
        panic!("no call")
    };
    assert_eq!(call.args[0].kind, ExprKind::Name(Name::plain("x___kernel")));
    assert_eq!(call.args[2].kind, ExprKind::Str("a # b".to_owned()));
}

#[test]
fn test_macros_are_tests_with_their_own_name() {
    let facts = facts("TEST(Suite, Name) {\n  k<<<1, 1>>>();\n}\n");
    assert_eq!(
        (facts.functions[0].role, facts.functions[0].path[0].as_str()),
        (Role::Test, "TEST(Suite, Name)")
    );
    assert_eq!(facts.quality.launches_recovered, 1);
}

#[test]
fn explicit_instantiations_are_known_by_name() {
    let facts = facts(
        "template __global__ void k<float, A<int>>(float*);\ntemplate class n::C<int>;\n\
         template void __launch_bounds__(256) g(int);\n",
    );
    let names: Vec<String> = facts.instantiations.iter().map(Name::to_string).collect();
    assert_eq!(names, ["k<float, A<int>>", "n::C<int>", "g"]);
}

#[test]
fn qualifiers_of_explicit_instantiations_are_not_those_of_what_follows() {
    let facts = facts(
        "template __global__ void k<int>(int*);\nint host() { return 1; }\n__device__ int d() { return 1; }",
    );
    assert_eq!(function(&facts, "host").target, Target::Host);
    assert_eq!(function(&facts, "d").target, Target::Device);
}

#[test]
fn broken_code_costs_only_itself() {
    let facts =
        facts("void f() { g(1); @@ $ ( ; k<<<1, 1>>>(); }\nvoid h() { if (x { a(); } \n}\nvoid i() { b(); }");
    assert_eq!(facts.quality.launches_recovered, 1);
    assert!(!function(&facts, "i").body.is_empty());
}

const SNIPPETS: &[&str] = &[
    "namespace a { template <class T> struct S : B<T> { S(int x) : y(x) {} ~S(); int y[3] = {1, 2}; }; }",
    "#define RUN(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n#define N (1 << 4)\nTEST(A, B) { RUN(k, 'x', \"s\\n\"); }",
    "__global__ void k(int* p) { asm volatile(\"x\" : \"=r\"(a) : \"l\"(p)); }\nint main() { k<<<1, 2, 0, s>>>(p); }",
    "void f() { switch (x) { case 1: do { goto a; } while (0); default: a: for (auto& [k, v] : m) continue; } }",
    "auto l = [=, &x, y = 1](int i) mutable { try { throw 1; } catch (...) { return new T*[n]{}; } };",
    "enum class E : int { A, B = 0x10 }; typedef struct { int x; } P; T v(a * b), w{.x = 1}, (*f)(int) = &g;",
];

#[test]
fn facts_survive_json() {
    for snippet in SNIPPETS {
        let facts = facts(snippet);
        let json = serde_json::to_string(&facts).expect("facts serialise");
        assert_eq!(
            serde_json::from_str::<FileFacts>(&json).expect("facts parse"),
            facts,
            "{snippet}"
        );
    }
}

#[test]
fn no_prefix_and_no_missing_byte_panics() {
    for snippet in SNIPPETS {
        for end in 0..snippet.len() {
            facts(&snippet[..end]);
            facts(&format!("{}{}", &snippet[..end], &snippet[end + 1..]));
        }
    }
}

#[test]
fn deep_nesting_neither_overflows_nor_takes_long() {
    let nest = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(10_000), close.repeat(10_000))
    };
    for statement in [
        nest("(", "x", ")") + ";",
        nest("{", "f();", "}"),
        nest("if (a) {", "f();", "}"),
        nest("if (a) f(); else ", "g();", ""),
        nest("f(", "x", ")") + ";",
        nest("[]{", "f();", "}();"),
        nest("x = ", "1", "") + ";",
        nest("a + ", "1", "") + ";",
        nest("(b) - (a + ", "1", ")") + ";",
        nest("a, ", "1", "") + ";",
        nest("a ? b : ", "1", "") + ";",
        nest("a.b(c)[1].", "x", "") + ";",
        nest("*", "x", "") + ";",
        nest("!", "x", "") + ";",
        format!("int {}p;", "*".repeat(10_000)),
        format!("int p{};", "[1]".repeat(10_000)),
        format!("{}x{} v;", "A<".repeat(10_000), ">".repeat(10_000)),
        nest("T x(", "y", ");"),
        nest("switch (x) { case 1:", "f();", "}"),
        nest("label: ", "f();", ""),
        nest("int x = {", "1", "}") + ";",
    ] {
        facts(&format!("void f() {{ {statement} }}"));
    }
    facts(&nest("namespace a {", "void f();", "}"));
    facts(&nest("struct A {", "int x;", "};"));
    facts(&nest("extern \"C\" {", "void f();", "}"));
    facts(&nest("template <class T> ", "void f();", ""));
    facts(&nest("union {", "int x;", "};"));
}

#[test]
fn what_is_pasted_to_a_comma_makes_no_word() {
    let facts = facts(
        "#define EXPECT(check, text, ...) do { if (!(check)) { note(text, ##__VA_ARGS__); return; } } while (0)\n",
    );
    assert_eq!(function(&facts, "EXPECT").role, Role::Macro);
}

#[test]
fn macros_that_put_a_parameter_into_a_lambda_are_functions() {
    let facts = facts(
        "#define DEFER(x) auto CAT(d_, __LINE__) = make([&] { x; })\n\
         #define ON_EXIT(code) ScopeExit CAT2(e_, __LINE__)([&]() { code; })\n\
         #define PLAIN(code) ScopeExit e([=] { code; });\n\
         void f() { DEFER(g()); }",
    );
    for name in ["DEFER", "ON_EXIT", "PLAIN"] {
        let body = function(&facts, name).body;
        let mut lambdas = 0;
        crate::facts::visit::statements(&body, &mut |node| {
            if let crate::facts::visit::Node::Expr(Expr {
                kind: ExprKind::Lambda(_),
                ..
            }) = node
            {
                lambdas += 1;
            }
        });
        assert_eq!((variables(&body[0]).len(), lambdas), (1, 1), "{name}: {body:?}");
    }
}
