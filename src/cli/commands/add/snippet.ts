import type { CreatableKind } from '../../../schema/record/kinds.ts';
import { type SnippetFormat, templateOf } from './template.ts';

/** The text of a new file. `gvc`: that of a manifest; code is given its GVC by the caller. */
export async function snippet(kind: CreatableKind, name: string, format: SnippetFormat, gvc: string): Promise<string> {
  return (await templateOf(kind, format))
    .replace(/^name: sample$/m, () => `name: ${isPlainInYaml(name) ? name : JSON.stringify(name)}`)
    .replaceAll('sample-gvc', () => gvc)
    .replaceAll('SAMPLE', () => upperSnake(name))
    .replaceAll('Sample', () => pascal(name))
    .replaceAll('sample', () => name);
}

/** How a stack uses the function of a snippet in TypeScript. */
export function useOf(text: string, file: string): readonly string[] {
  const [, name = '', parameters = ''] = /^export function (\w+)\(([^)]*)\)/m.exec(text) ?? [];
  const values = parameters.split(', ').map((parameter) => parameter.replace(/:.*/, ''));
  return [
    `import { ${name} } from ${JSON.stringify(`./${file}`).replaceAll('"', "'")};`,
    `${name}(${values.join(', ')});`,
  ];
}

/** Texts that YAML takes for something else: `true`, `on`, `12`, `1e3`. */
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
