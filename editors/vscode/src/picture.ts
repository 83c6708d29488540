// The page that shows a finding: its picture, and the steps below it.

/** What the server answers to `cudalint/picture`. */
export interface Picture {
  readonly title: string;
  readonly svg: string | null;
  readonly finding: {
    readonly code: string;
    readonly rule: string;
    readonly help?: string;
    readonly steps: readonly { readonly path: string; readonly line: number; readonly message: string }[];
  };
}

/** The page; it loads nothing and runs nothing. */
export function page(picture: Picture): string {
  const { finding } = picture;
  const steps = finding.steps.map(
    (it) => `<li>${escape(it.message)} <small>${escape(it.path)}:${it.line}</small></li>`,
  );
  const help = finding.help === undefined ? "" : `<p>help: ${escape(finding.help)}</p>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(finding.code)}</title>
<style>.picture { background: #fff; overflow: auto } svg { max-width: 100%; height: auto }</style>
</head>
<body>
<h2>${escape(finding.code)} ${escape(finding.rule)}</h2>
<p>${escape(picture.title)}</p>
<div class="picture">${picture.svg ?? ""}</div>
<ol>${steps.join("")}</ol>
${help}
</body>
</html>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
