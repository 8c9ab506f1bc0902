// Starts `kg lsp` in the folder that is open; all else is the language server's.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

async function start() {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const [command, ...args] = vscode.workspace.getConfiguration('kg').get('command');
  const server = { command, args, options: { cwd: folder?.uri.fsPath } };
  client = new LanguageClient('kg', 'Inquiry lines', server, {
    documentSelector: [{ scheme: 'file', language: 'markdown' }],
  });
  await client.start();
}

async function deactivate() {
  await client?.stop();
  client = undefined;
}

async function activate(context) {
  const restart = async () => {
    await deactivate();
    await start();
  };
  context.subscriptions.push(vscode.commands.registerCommand('kg.restart', restart));
  await start();
}

module.exports = { activate, deactivate };
