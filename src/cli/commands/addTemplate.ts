import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isArray, isObject, type JsonObject, type JsonValue, objectAt } from '../../base/json/json.ts';
import type { Sheet } from '../../kinds/common/sheet.ts';
import { wordsOf } from '../../kinds/kindWords.ts';
import { sheets } from '../../kinds/list.ts';
import { parseManifestText } from '../../manifest/parseManifestText.ts';
import { toYaml } from '../../project/files/toYaml.ts';
import { type CreatableKind, isGvcScoped } from '../../schema/record/kinds.ts';
import { templateFolder } from './initTemplateFolder.ts';

export type SnippetFormat = 'ts' | 'yaml';

const folders: Readonly<Record<SnippetFormat, string>> = { ts: 'typescript', yaml: 'yaml' };
const longestLine = 120;

/**
 * The template of `gantry add`: the kind's file in `templates/snippets`. A kind without one uses the manifest of its
 * published example, or the program with the same content.
 */
export async function templateOf(kind: CreatableKind, format: SnippetFormat): Promise<string> {
  const file = join(templateFolder(), 'snippets', folders[format], `${kind}.${format}`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text ?? (format === 'yaml' ? await manifestOf(kind) : programOf(kind, await templateOf(kind, 'yaml')));
}

/** The manifest of the published example of a kind. */
export async function manifestOf(kind: CreatableKind): Promise<string> {
  const { exampleOf } = await import('../../kinds/allTypes.ts');
  const { name: _, ...fields } = exampleOf(kind) ?? {};
  const record = { kind, name: 'sample', ...(isGvcScoped(kind) ? { gvc: 'sample-gvc' } : {}), ...fields };
  return `# ${wordsOf(kind).about}\n${await toYaml(record)}`;
}

/** The program that declares the same resource as a manifest. */
export function programOf(kind: CreatableKind, manifest: string): string {
  const { className, props }: Sheet & { readonly className: string } = sheets[kind];
  const value = parseManifestText({ text: manifest, file: `${kind}.yaml`, format: 'yaml' }).documents[0]?.value;
  const { kind: _kind, name: _name, gvc: _gvc, spec: _spec, ...fields } = isObject(value) ? value : {};
  const given = props === 'spec' && isObject(value) ? { ...fields, ...objectAt(value, 'spec') } : fields;
  const [about = ''] = manifest.split('\n');
  const [scope, type] = isGvcScoped(kind) ? ['gvc', 'Gvc'] : ['stack', 'Stack'];
  const imports = [className, `type ${type}`].sort((a, b) => (plainName(a) < plainName(b) ? -1 : 1));
  return `import { ${imports.join(', ')} } from 'gantry';

/** ${about.replace(/^# /, '')} */
export function addSample${className}(${scope}: ${type}): ${className} {
  return new ${className}(${scope}, 'sample', ${propsText(given)});
}
`;
}

function plainName(imported: string): string {
  return imported.replace(/^type /, '');
}

/** Nested objects and lists get their own lines. */
function propsText(props: JsonObject): string {
  const isFlat = !Object.values(props).some((value) => isObject(value) || isArray(value));
  return isFlat ? inLine(props) : inLines(props, '  ');
}

function codeOf(value: JsonValue, before: string, indent: string): string {
  const text = inLine(value);
  return `${indent}${before}${text},`.length <= longestLine ? text : inLines(value, indent);
}

function inLines(value: JsonValue, indent: string): string {
  const inner = `${indent}  `;
  if (isArray(value)) return `[\n${value.map((item) => `${inner}${codeOf(item, '', inner)},\n`).join('')}${indent}]`;
  if (!isObject(value)) return inLine(value);
  const members = Object.entries(value).map(([key, each]) => {
    const before = `${keyText(key)}: `;
    return `${inner}${before}${codeOf(each, before, inner)},\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

function inLine(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, each]) => `${keyText(key)}: ${inLine(each)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** `gvc`: for manifests; code gets its GVC from the caller. */
export async function snippet(kind: CreatableKind, name: string, format: SnippetFormat, gvc: string): Promise<string> {
  return (await templateOf(kind, format))
    .replace(/^name: sample$/m, () => `name: ${isPlainInYaml(name) ? name : JSON.stringify(name)}`)
    .replaceAll('sample-gvc', () => gvc)
    .replaceAll('SAMPLE', () => upperSnake(name))
    .replaceAll('Sample', () => pascal(name))
    .replaceAll('sample', () => name);
}

/** The lines by which a stack in TypeScript, if there is one yet, uses the function of a snippet. */
export function useOf(text: string, file: string, stack: string | undefined): readonly string[] {
  const [, name = '', parameters = ''] = /^export function (\w+)\(([^)]*)\)/m.exec(text) ?? [];
  const values: string[] = [];
  let remark = '';
  for (const parameter of parameters.split(', ')) {
    const [own = '', type = ''] = parameter.split(': ');
    const variable = stack === undefined ? own : variableIn(stack, own, type);
    values.push(variable ?? own);
    if (variable === undefined) remark += ` // First give your ${type} a name: const ${own} = …`;
  }
  return [
    `import { ${name} } from ${JSON.stringify(`./${file}`).replaceAll('"', "'")};`,
    `${name}(${values.join(', ')});${remark}`,
  ];
}

/** The variable of a stack file with this name, else the first one of this type. */
function variableIn(stack: string, name: string, type: string): string | undefined {
  const variables = [...stack.matchAll(/^(?:export )?(?:const|let|var) ([\w$]+)(?:: \w+)? = (?:new (\w+))?/gm)];
  const found = variables.find(([, each]) => each === name) ?? variables.find(([, , each]) => each === type);
  return found?.[1];
}

/** Whether YAML reads the name as text, unlike `true`, `on`, `12`, `1e3`. */
function isPlainInYaml(name: string): boolean {
  return /^[a-z][a-z0-9.-]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/.test(name);
}

function upperSnake(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

/** `api-v2` becomes `ApiV2`. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
}
