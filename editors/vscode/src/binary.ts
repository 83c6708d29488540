// Which `cudalint` to start. Nothing here needs an editor.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** What is known where the search begins. */
export interface Surroundings {
  /** The setting; empty when there is none. */
  readonly setting: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Folders of the workspace. */
  readonly folders: readonly string[];
  /** Programs that the workspace brings may be started. */
  readonly trusted: boolean;
  readonly windows: boolean;
}

/** Where it is, or the places that were looked at in vain. */
export type Found = { readonly path: string } | { readonly tried: readonly string[] };

/** The setting, then `PATH`, then the Python environment that is active, then the workspace's own. */
export function find(at: Surroundings): Found {
  if (at.setting !== "") {
    const named = expand(at);
    return isProgram(named, at.windows) ? { path: named } : { tried: [named] };
  }
  const tried: string[] = [];
  for (const folder of places(at)) {
    const path = join(folder, at.windows ? "cudalint.exe" : "cudalint");
    if (isProgram(path, at.windows)) {
      return { path };
    }
    tried.push(path);
  }
  return { tried };
}

/** The setting with its `~` and `${workspaceFolder}`; a relative path begins in the first folder. */
function expand({ setting, home, folders }: Surroundings): string {
  const folder = folders[0] ?? "";
  const path = setting.replaceAll("${workspaceFolder}", folder).replace(/^~(?=$|[/\\])/, home);
  return isAbsolute(path) || folder === "" ? path : join(folder, path);
}

function places({ environment, folders, trusted, windows }: Surroundings): string[] {
  const programs = windows ? "Scripts" : "bin";
  // An empty or relative entry would mean a folder of the workspace.
  const path = (environment["PATH"] ?? environment["Path"] ?? "").split(delimiter).filter(isAbsolute);
  const active = [environment["VIRTUAL_ENV"], environment["CONDA_PREFIX"]];
  const environments = active.filter((it) => it !== undefined && isAbsolute(it)) as string[];
  const own = trusted ? folders.flatMap((it) => [join(it, ".venv"), join(it, "venv")]) : [];
  return [...path, ...[...environments, ...own].map((it) => join(it, programs))];
}

function isProgram(path: string, windows: boolean): boolean {
  try {
    accessSync(path, windows ? constants.F_OK : constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
