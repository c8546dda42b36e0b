import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ToolError } from '../../base/toolError.ts';
import type { Parse, Syntax } from '../../hcl/migration/syntax.ts';

/** The parser of Terraform's language. It is not installed with Gantry: it is needed once, by those who come over. */
const library = 'web-tree-sitter';
const grammar = '@tree-sitter-grammars/tree-sitter-hcl';
export const parserInstallation = `npm install -D ${library}@0.27.2 ${grammar}@1.2.0`;

interface Node {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly hasError: boolean;
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly children: readonly (Node | null)[];
  readonly namedChildren: readonly (Node | null)[];
}

/** The functions of the library that are used here. */
interface Library {
  readonly Parser: {
    init(options: { readonly wasmBinary: Uint8Array }): Promise<void>;
    new (): {
      setLanguage(language: unknown): void;
      parse(text: string): { readonly rootNode: Node; delete(): void } | null;
    };
  };
  readonly Language: { load(grammar: Uint8Array): Promise<unknown> };
}

function isLibrary(value: unknown): value is Library {
  return typeof value === 'object' && value !== null && 'Parser' in value && 'Language' in value;
}

/** `project`: the folder where it may be installed. Errors: `terraform.parser`. */
export async function hclParser(project: string): Promise<Parse> {
  const files = resolvedIn(join(project, 'package.json')) ?? resolvedIn(import.meta.url);
  if (files === undefined) {
    throw new ToolError({
      code: 'terraform.parser',
      message: `${library} and ${grammar} are not installed in ${project}; they read Terraform's language`,
      hint: `Run: ${parserInstallation}`,
    });
  }
  const [found, wasmBinary, language] = await Promise.all([
    import(pathToFileURL(files.script).href),
    readFile(files.engine),
    readFile(files.grammar),
  ]).catch((error: unknown) => {
    throw broken(error);
  });
  if (!isLibrary(found)) throw broken(undefined);
  await found.Parser.init({ wasmBinary });
  const parser = new found.Parser();
  parser.setLanguage(await found.Language.load(language));
  return (text) => {
    const tree = parser.parse(text);
    if (tree === null) throw broken(undefined);
    const { rootNode: root } = tree;
    const read = root.hasError ? { wrongAt: wrongIn(root) } : { root: plain(root) };
    tree.delete();
    return read;
  };
}

function broken(cause: unknown): ToolError {
  return new ToolError({
    code: 'terraform.parser',
    message: `${library} does not work with ${grammar}`,
    hint: `These versions work together: ${parserInstallation}`,
    cause,
  });
}

function resolvedIn(
  from: string,
): { readonly script: string; readonly engine: string; readonly grammar: string } | undefined {
  const { resolve } = createRequire(from);
  try {
    return {
      script: resolve(library),
      engine: resolve(`${library}/web-tree-sitter.wasm`),
      grammar: resolve(`${grammar}/tree-sitter-terraform.wasm`),
    };
  } catch {
    return undefined;
  }
}

function plain({ type, startIndex: start, endIndex: end, namedChildren }: Node): Syntax {
  return { type, start, end, children: namedChildren.flatMap((child) => (child === null ? [] : [plain(child)])) };
}

/** The first place that the grammar does not know. */
function wrongIn(node: Node): number {
  const inside = node.children.find((child) => child?.hasError === true || child?.isMissing === true);
  return node.isError || node.isMissing || inside === undefined || inside === null ? node.startIndex : wrongIn(inside);
}
