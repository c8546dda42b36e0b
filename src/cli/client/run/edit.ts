import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toYaml } from '../../../automation/files/toYaml.ts';
import { hiddenTexts } from '../../../client/hiddenTexts.ts';
import { isCode } from '../../../client/http/apiError.ts';
import { ToolError } from '../../../errors/toolError.ts';
import { checkManifests } from '../../../manifest/check/checkManifests.ts';
import { parseManifestText } from '../../../manifest/text/parseManifestText.ts';
import { diff } from '../../../patch/diff.ts';
import { hiddenField } from '../../../schema/facts/kindFacts.ts';
import { isObject, type JsonObject, type JsonValue, own, put, stringAt } from '../../../schema/json/json.ts';
import { contextOf } from '../../../schema/record/context.ts';
import { isCreatableKind, isGvcScoped, type Kind } from '../../../schema/record/kinds.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import { shapeOf } from '../../../schema/shape/shapeOf.ts';
import { loadValidators } from '../../../schema/validation/validators.ts';
import type { Ending } from '../../answer/ending.ts';
import { toText } from '../../answer/toText.ts';
import { UsageError } from '../../line/usageError.ts';
import { exitCode } from '../../process/exitCode.ts';
import { ask } from '../../terminal/ask.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import type { Call } from '../call/command.ts';
import { kindOf } from '../call/input.ts';
import { gvcOf, inOrder } from '../model/records.ts';
import { showRecord } from '../output/present.ts';
import type { Api } from '../wire/api.ts';
import { itemOf, named } from '../wire/paths.ts';
import { precondition } from './write.ts';

/** What is edited: a record of the platform, and the text that stands for it. */
interface Editing {
  readonly call: Call;
  readonly api: Api;
  readonly kind: Kind;
  readonly path: string;
  readonly file: string;
}

/** The record that is in the text, or what is wrong with it. */
type Checked = { readonly record: JsonObject } | { readonly problems: readonly string[] };

/** What came of the saved text; `same`: it asks for nothing. */
type Outcome = Checked | { readonly same: true };

/**
 * `edit REF`: opens the record in an editor, checks what was saved, shows the smallest patch for it, and sends that.
 * What is wrong is written above the text, and the editor is opened again; what was typed is never lost.
 */
export async function runEdit(call: Call): Promise<Ending> {
  const editor = editorOf(call);
  const api = await call.open();
  const kind = kindOf(call);
  const [ref = ''] = call.args;
  const path = itemOf(api, kind, ref);
  let live = await named(api, kind, ref, api.get(path));
  const folder = await mkdtemp(join(tmpdir(), 'gantry-edit-'));
  const editing: Editing = { call, api, kind, path, file: join(folder, `${kind}.yaml`) };
  const original = await toYaml(writable(kind, live));
  let text = original;
  let problems: readonly string[] = [];
  for (;;) {
    await writeFile(editing.file, headed(problems, text, ref), { mode: 0o600 });
    await runEditor(editor, editing);
    const saved = withoutHead(await readFile(editing.file, 'utf8'));
    if (saved === original || saved.trim() === '') return unchanged(call, folder);
    if (problems.length > 0 && saved === text) throw stopped(editing, problems);
    text = saved;
    const outcome = await send(editing, live, text);
    if ('same' in outcome) return unchanged(call, folder);
    if ('record' in outcome) {
      await rm(folder, { recursive: true, force: true });
      await showRecord(call, kind, outcome.record, api);
      return exitCode.ok;
    }
    ({ problems } = outcome);
    for (const line of problems) call.context.terminal.message(printable(line));
    live = await api.get(path); // somebody else may have written it in the meantime
  }
}

async function unchanged(call: Call, folder: string): Promise<Ending> {
  await rm(folder, { recursive: true, force: true });
  call.context.terminal.message('Nothing was changed.');
  call.context.answer.document({ changed: false });
  return exitCode.ok;
}

/** Checks the text, and sends what it asks for. Errors: `edit.not-confirmed`, and those of the platform but refusals. */
async function send(editing: Editing, live: JsonObject, text: string): Promise<Outcome> {
  const { call, api, kind, path } = editing;
  const checked = await check(editing, live, text);
  if ('problems' in checked) return checked;
  const replaces = call.given.flag('replace');
  const body = replaces ? checked.record : await patchOf(editing, live, checked.record);
  if (body === undefined) return { same: true };
  await confirm(editing, replaces ? { replaced: body } : body);
  try {
    const sent = replaces ? body : { ...precondition(live), ...body };
    const reply = await api.send(replaces ? 'PUT' : 'PATCH', path, sent, hiddenTexts(kind, sent));
    return { record: stringAt(reply.record, 'id') === undefined ? await api.get(path) : reply.record };
  } catch (error) {
    if (!isCode(error, 'api.invalid', 'api.conflict', 'api.quota')) throw error;
    return { problems: error.message.split('\n') };
  }
}

/** The record in the text, or what is wrong with it, each with its line. */
async function check({ api, kind }: Editing, live: JsonObject, text: string): Promise<Checked> {
  const { documents, problems } = parseManifestText({ text, file: 'line', format: 'yaml' });
  if (problems.length > 0)
    return { problems: problems.map(({ position, message }) => `line ${position.line}: ${message}`) };
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0 || !isObject(document.value)) {
    return { problems: ['the text must be one object'] };
  }
  const record = document.value;
  if (stringAt(record, 'name') !== stringAt(live, 'name')) return { problems: ['name: a record cannot be renamed'] };
  if (!isCreatableKind(kind)) return { record };
  const gvc = gvcOf(live);
  const value = { kind, ...record, ...(gvc !== undefined && isGvcScoped(kind) ? { gvc } : {}) };
  const checked = checkManifests([{ ...document, value }], { org: api.org, validators: await loadValidators([kind]) });
  const hidden = hiddenField(kind);
  const found = checked.problems.filter(({ severity, path }) => severity === 'error' && path !== hidden);
  if (found.length === 0) return { record };
  return {
    problems: found.map(
      ({ position, path, message, hint }) =>
        `line ${position.line}: ${path === '' ? '' : `${path}: `}${message}${hint === undefined ? '' : ` (${hint})`}`,
    ),
  };
}

async function patchOf({ api, kind }: Editing, live: JsonObject, record: JsonObject): Promise<JsonObject | undefined> {
  const discovery = await api.get('/discovery');
  const gvc = gvcOf(live);
  const name = stringAt(live, 'name') ?? '';
  const ref: Ref = gvc === undefined ? { kind, name } : { kind, name, gvc };
  return diff(kind, live, record, {
    context: contextOf(ref, api.org),
    directives: stringAt(discovery, 'directives') === 'all' ? 'all' : 'stated',
    // Everything was in the text: what is no longer there was removed on purpose.
    wasSet: () => true,
    revertOperational: true,
  })?.patch;
}

async function confirm({ call, file }: Editing, body: JsonObject): Promise<void> {
  const { terminal } = call.context;
  terminal.message(printableLines(await toText(body, 'yaml')).join('\n'));
  if (call.given.flag('yes') || !terminal.canAsk) return;
  if (await ask('\nSend this? (yes/no) ')) return;
  throw new ToolError({
    code: 'edit.not-confirmed',
    message: 'the change was not confirmed; nothing was written',
    hint: `What you typed is in ${file}.`,
  });
}

/** What a client can set of a record. */
function writable(kind: Kind, live: JsonObject): JsonObject {
  const { fields } = shapeOf(kind, live);
  const kept: Record<string, JsonValue> = {};
  for (const key of Object.keys(live)) {
    const field = fields.get(key);
    if (field === undefined || field.facts.responseOnly === true || key === 'health') continue;
    put(kept, key, own(live, key) ?? null);
  }
  return inOrder(kept);
}

const mark = '# gantry: ';

function headed(problems: readonly string[], text: string, ref: string): string {
  const lines = problems.length === 0 ? [] : ['This cannot be saved:', ...problems.map((each) => `  ${each}`)];
  const head = [...lines, `Save and close to change ${ref}; leave it as it is to change nothing.`];
  return `${head.map((line) => `${mark}${printable(line)}\n`).join('')}${text}`;
}

function withoutHead(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(mark.trimEnd()))
    .join('\n');
}

function editorOf({ context: { environment } }: Call): string {
  const editor = environment['VISUAL'] || environment['EDITOR'];
  if (editor !== undefined && editor !== '') return editor;
  throw new UsageError(
    'no editor is set',
    'Set VISUAL or EDITOR, for example EDITOR=vi; or use gantry KIND update --set.',
  );
}

/** The editor is a command line of the user's shell; the file is its last argument. Errors: `edit.editor`. */
async function runEditor(editor: string, { file, call }: Editing): Promise<void> {
  const windows = process.platform === 'win32';
  const command = windows ? `${editor} "${file}"` : `${editor} "$GANTRY_EDIT_FILE"`;
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      stdio: 'inherit',
      cwd: call.context.cwd,
      env: { ...call.context.environment, GANTRY_EDIT_FILE: file },
    });
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code === 0) return;
  throw new ToolError({
    code: 'edit.editor',
    message: `the editor ended with ${code ?? 'a signal'}; nothing was written`,
    hint: `What you typed is in ${file}.`,
  });
}

function stopped({ file }: Editing, problems: readonly string[]): ToolError {
  return new ToolError({
    code: 'edit.not-saved',
    message: `nothing was written: ${problems.join('\n')}`,
    hint: `What you typed is in ${file}.`,
  });
}
