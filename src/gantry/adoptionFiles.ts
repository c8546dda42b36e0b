import { isArray, isObject, type JsonObject, type JsonValue, own, put, stringAt } from '../base/json/json.ts';
import type { AdoptedManifest } from '../change/adopt.ts';
import type { Sheet } from '../kinds/common/sheet.ts';
import { runs } from '../kinds/kindFacts.ts';
import { sheets } from '../kinds/list.ts';
import { escapeValues } from '../manifest/escapeValues.ts';
import { toYaml } from '../project/files/toYaml.ts';
import { isContainer, isKnownKind } from '../schema/record/kinds.ts';

/**
 * A stack file with one construct for each manifest, GVCs first. It compiles under the strictest settings. `stack`: its
 * id.
 */
export function typescriptStack(manifests: readonly AdoptedManifest[], stack: string): string {
  const gvcs = manifests.filter(({ manifest }) => isContainer(manifest['kind']));
  const scopes = gvcScopes(gvcs, manifests);
  const ids = new Map<string, Set<string>>();
  const ordered = [...gvcs, ...manifests.filter((each) => !gvcs.includes(each))];
  const statements = ordered.map((each) => statement(each, scopes, ids));
  const used = new Set(ordered.map(({ manifest }) => classOf(manifest)));
  const imports = ['App', 'Stack', ...[...used].sort()].join(', ');
  return [
    `import { ${imports} } from 'gantry';`,
    '',
    'const app = new App();',
    `const stack = new Stack(app, ${quote(stack)});`,
    '',
    statements.join('\n\n'),
    '',
    'export default app;',
    '',
  ].join('\n');
}

/** The variable of each GVC that contains another resource in the file. */
function gvcScopes(
  gvcs: readonly AdoptedManifest[],
  manifests: readonly AdoptedManifest[],
): ReadonlyMap<string, string> {
  const inhabited = new Set(manifests.map(({ manifest }) => stringAt(manifest, 'gvc')));
  const taken = new Set(['app', 'stack', ...reserved]);
  const scopes = new Map<string, string>();
  for (const { manifest } of gvcs) {
    const name = stringAt(manifest, 'name') ?? '';
    if (!inhabited.has(name)) continue;
    let variable = camel(name);
    while (taken.has(variable)) variable = `${variable}Gvc`;
    taken.add(variable);
    scopes.set(name, variable);
  }
  return scopes;
}

/** Words that cannot name a variable. */
const reserved = (
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
  'false finally for function if implements import in instanceof interface let new null package private protected ' +
  'public return static super switch this throw true try typeof undefined var void while with yield'
).split(' ');

/** GVC names are lower-case letters, digits and hyphens, and start with a letter. */
function camel(name: string): string {
  return name.replace(/-+(.?)/g, (_, next: string) => next.toUpperCase());
}

function statement(
  { manifest, placeholders }: AdoptedManifest,
  scopes: ReadonlyMap<string, string>,
  ids: Map<string, Set<string>>,
): string {
  const name = stringAt(manifest, 'name') ?? '';
  const gvc = stringAt(manifest, 'gvc');
  const scope = (gvc === undefined ? undefined : scopes.get(gvc)) ?? 'stack';
  const taken = ids.get(scope) ?? new Set<string>();
  ids.set(scope, taken);
  const id = freeId(name, manifest, taken);
  taken.add(id);

  const props = propsOf(manifest, scope !== 'stack', id === name);
  const variable = isContainer(manifest['kind']) ? scopes.get(name) : undefined;
  const argument = Object.keys(props).length === 0 ? '' : `, ${literal(props, '')}`;
  const made = `new ${classOf(manifest)}(${scope}, ${quote(id)}${argument});`;
  const text = variable === undefined ? made : `const ${variable} = ${made}`;
  return placeholders.reduce(
    (written, field) => written.replace(new RegExp(`^(?=  ${field}:)`, 'm'), () => `  // ${placeholderComment}\n`),
    text,
  );
}

/** An id that is unique in its scope: the name, or with the kind, or also with the GVC. */
function freeId(name: string, manifest: JsonObject, taken: ReadonlySet<string>): string {
  const kind = stringAt(manifest, 'kind') ?? '';
  const gvc = stringAt(manifest, 'gvc');
  const candidates = [name, `${kind}-${name}`, `${kind}-${gvc ?? ''}-${name}`];
  const free = candidates.find((candidate) => !taken.has(candidate));
  if (free !== undefined) return free;
  let count = 2;
  while (taken.has(`${kind}-${name}-${count}`)) count += 1;
  return `${kind}-${name}-${count}`;
}

function sheetOf(manifest: JsonObject): Sheet | undefined {
  const kind = own(manifest, 'kind');
  return isKnownKind(kind) ? sheets[kind] : undefined;
}

function classOf(manifest: JsonObject): string {
  return sheetOf(manifest)?.className ?? 'RawResource';
}

/**
 * The props of a construct: the content of `spec`, with description, tags and lifecycle; `identityLink` is `identity`.
 */
function propsOf(manifest: JsonObject, inScope: boolean, named: boolean): JsonObject {
  const props: Record<string, JsonValue> = {};
  const spec = own(manifest, 'spec');
  const isRaw = classOf(manifest) === 'RawResource';
  for (const [field, value] of Object.entries(manifest)) {
    if ((field === 'kind' || field === 'spec') && !isRaw) continue;
    if ((field === 'name' && named) || (field === 'gvc' && inScope)) continue;
    put(props, field, value);
  }
  if (isRaw) return props;
  // These constructs take `spec` as a whole.
  if (sheetOf(manifest)?.props === 'record') return spec === undefined ? props : { ...props, spec };
  for (const [field, value] of Object.entries(isObject(spec) ? spec : {})) {
    put(props, runs(manifest['kind']) && field === 'identityLink' ? 'identity' : field, value);
  }
  return props;
}

/** TypeScript for plain data; names are only quoted if necessary. */
function literal(value: JsonValue, indent: string): string {
  if (typeof value === 'string') return quote(value);
  if (isArray(value)) return list(value, indent);
  if (!isObject(value)) return JSON.stringify(value);
  const inside = `${indent}  `;
  const members = Object.entries(value).map(([key, member]) => `${inside}${nameOf(key)}: ${literal(member, inside)},`);
  return members.length === 0 ? '{}' : ['{', ...members, `${indent}}`].join('\n');
}

function list(items: readonly JsonValue[], indent: string): string {
  const inside = `${indent}  `;
  const flat = `[${items.map((item) => literal(item, inside)).join(', ')}]`;
  if (!flat.includes('\n') && flat.length + indent.length <= 100) return flat;
  return ['[', ...items.map((item) => `${inside}${literal(item, inside)},`), `${indent}]`].join('\n');
}

function nameOf(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}

/** Single quotes; escapes line separators that editors treat as line ends. */
function quote(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${inside}'`;
}

export interface AdoptionFile {
  /** `stack.ts`, `resources.yaml`, or for one resource `workload.shop.web.yaml`. */
  readonly name: string;
  readonly text: string;
}

export interface AdoptionLayout {
  readonly format: 'yaml' | 'ts';
  /** Whether to write one YAML file for each resource; code is always one file. */
  readonly split: boolean;
  /** The id of the stack in code. */
  readonly stack: string;
}

export async function adoptionFiles(
  manifests: readonly AdoptedManifest[],
  { format, split, stack }: AdoptionLayout,
): Promise<readonly AdoptionFile[]> {
  if (format === 'ts') return [{ name: 'stack.ts', text: typescriptStack(manifests, stack) }];
  if (!split) return [{ name: 'resources.yaml', text: await manifestsYaml(manifests) }];
  return Promise.all(
    manifests.map(async (adopted) => ({ name: fileName(adopted.id), text: await manifestYaml(adopted) })),
  );
}

/** `workload.shop.web.yaml`: only names of domains contain dots, so all file names differ. */
function fileName(id: string): string {
  return `${id.replaceAll('/', '.').replaceAll('*', '%2A')}.yaml`;
}

/** The comment above a placeholder, in every format. */
const placeholderComment =
  'a placeholder: the value on the platform stays (lifecycle.ignore); fill it in only to create the resource again';

/** One YAML document: keys in the order of the schema, and a comment above each placeholder. */
export async function manifestYaml({ manifest, placeholders }: AdoptedManifest): Promise<string> {
  const text = await toYaml(escapeValues(manifest));
  return placeholders.reduce(
    (written, field) => written.replace(new RegExp(`^(?=${field}:)`, 'm'), () => `# ${placeholderComment}\n`),
    text,
  );
}

export async function manifestsYaml(manifests: readonly AdoptedManifest[]): Promise<string> {
  return (await Promise.all(manifests.map(manifestYaml))).join('---\n');
}
