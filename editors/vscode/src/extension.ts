// Starts `cudalint server`, and shows its pictures.

import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  type ClientCapabilities,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  type StaticFeature,
} from "vscode-languageclient/node";

import { find } from "./binary";
import { type Picture, page } from "./picture";

const LANGUAGES = ["cuda-cpp", "cuda", "cpp", "c"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("cudalint.restart", restart),
    vscode.commands.registerCommand("cudalint.showPicture", showPicture),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration("cudalint.path") ? restart() : undefined,
    ),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("cudalint");
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((it) => it.uri.scheme === "file");
  const found = find({
    setting: settings.get("path", ""),
    environment: process.env,
    home: homedir(),
    folders: folders.map((it) => it.uri.fsPath),
    trusted: vscode.workspace.isTrusted,
    windows: process.platform === "win32",
  });
  if (!("path" in found)) {
    void missing(found.tried);
    return;
  }
  const server: ServerOptions = { command: found.path, args: ["server"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    initializationOptions: settings,
  };
  client = new LanguageClient("cudalint", "cudalint", server, options);
  client.registerFeature(pictures);
  await client.start();
}

/** Says that this editor can show pictures, so that the server offers them. */
const pictures: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), cudalintPictures: true };
  },
  initialize(): void {},
  getState: () => ({ kind: "static" }),
  clear(): void {},
};

async function missing(tried: readonly string[]): Promise<void> {
  const where = tried.length === 1 ? `at ${tried[0]}` : "on PATH or in a Python environment";
  const settings = "Open settings";
  const answer = await vscode.window.showErrorMessage(
    `There is no cudalint ${where}. Install it with pip, or say in "cudalint.path" where it is.`,
    settings,
  );
  if (answer === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "cudalint.path");
  }
}

/** Shows the finding that is named, or the one at the cursor. */
async function showPicture(named?: { uri: string; fingerprint: string }): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (client === undefined || (named === undefined && editor === undefined)) {
    return;
  }
  const here = editor && {
    textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) },
    position: client.code2ProtocolConverter.asPosition(editor.selection.active),
  };
  const picture = await client.sendRequest<Picture | null>("cudalint/picture", named ?? here);
  if (picture === null) {
    void vscode.window.showInformationMessage("There is no finding of cudalint on this line.");
    return;
  }
  const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel("cudalint.picture", picture.finding.code, beside, {});
  panel.webview.html = page(picture);
}
