import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-5.9';

/** V8's coverage report on one process. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    /** The first range of a function is the function itself. */
    readonly functions: readonly { readonly ranges: readonly [Range, ...Range[]] }[];
  }[];
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/**
 * Makes V8 compile the functions of a plan together with their file, by enclosing them in parentheses. It parses other
 * functions twice, first to skip them and again when they run, and Node caches what was compiled with the file.
 *
 * @param folder - Of the built command line. Its files are rewritten in place.
 */
export async function compileEarly(folder: string, stack: string): Promise<void> {
  for (const [file, functions] of await functionsOfPlan(folder, stack)) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, inParentheses(text, functions));
  }
}

/** The functions that ran in each file, as `START:END`. */
async function functionsOfPlan(folder: string, stack: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const home = mkdtempSync(join(tmpdir(), 'gantry-build-'));
  const cli = join(folder, 'cli.js');
  // Without the developer's own environment, such as settings of Gantry.
  const environment = { PATH: process.env['PATH'], HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' };
  const platform = spawn(process.execPath, [cli, 'serve', '--data', ':memory:', '--port', '0', '--token', 'build'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'], // it logs each request
  });
  try {
    const { value: first = '' } = await createInterface(platform.stdout)[Symbol.asyncIterator]().next();
    const endpoint = /http:\/\/[^/]+/.exec(first)?.[0];
    if (endpoint === undefined) throw new Error(`gantry serve printed no address, but ${JSON.stringify(first)}`);
    const coverage = join(home, 'coverage');
    execFileSync(process.execPath, [cli, 'plan', stack, '--org', 'local'], {
      env: { ...environment, NODE_V8_COVERAGE: coverage, GANTRY_ENDPOINT: endpoint, GANTRY_TOKEN: 'build' },
      stdio: ['ignore', 'ignore', 'pipe'], // part of the error if it fails
    });
    const reports = readdirSync(coverage).map(
      (file): Coverage => JSON.parse(readFileSync(join(coverage, file), 'utf8')),
    );
    const own = pathToFileURL(folder).href;
    return new Map(
      reports
        .flatMap(({ result }) => result)
        .filter(({ url }) => url.startsWith(`${own}/`))
        .map(({ url, functions }) => {
          const ran = functions.map(({ ranges: [whole] }) => whole).filter(({ count }) => count > 0);
          return [
            join(folder, url.slice(own.length)),
            new Set(ran.map(({ startOffset, endOffset }) => `${startOffset}:${endOffset}`)),
          ];
        }),
    );
  } finally {
    platform.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Arrow functions and function expressions stay in place. A top-level declaration becomes a variable at the beginning
 * of the file, which is almost like hoisting, and a method of an object literal a property.
 */
export function inParentheses(text: string, functions: ReadonlySet<string>): string {
  const file = ts.createSourceFile('chunk.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  /** By position: the inserted text, and the end of the text that it replaces. */
  const edits = new Map<number, { readonly put: string; readonly until: number }>();
  const head: ts.FunctionDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    if (functions.has(`${node.getStart(file)}:${node.end}`)) mark(node);
    ts.forEachChild(node, visit);
  };
  function mark(node: ts.Node): void {
    const start = node.getStart(file);
    if ((ts.isArrowFunction(node) || ts.isFunctionExpression(node)) && !ts.isParenthesizedExpression(node.parent)) {
      edits.set(start, { put: '(', until: start });
      edits.set(node.end, { put: `)${edits.get(node.end)?.put ?? ''}`, until: node.end });
    } else if (ts.isFunctionDeclaration(node) && node.parent === file && node.name !== undefined) {
      head.push(node);
      edits.set(node.name.getStart(file), { put: '', until: node.name.end });
    } else if (isPlainMethod(node)) {
      edits.set(node.name.end, { put: ':(function', until: node.name.end });
      edits.set(node.end, { put: `)${edits.get(node.end)?.put ?? ''}`, until: node.end });
    }
  }
  visit(file);
  const places = [...edits.keys()].sort((a, b) => a - b);
  function rewritten(from: number, to: number): string {
    let [result, at] = ['', from];
    for (const place of places) {
      const edit = edits.get(place);
      if (edit === undefined || place < from || place > to) continue;
      // Where two ranges meet, a closing parenthesis belongs to the first and an opening one to the second.
      if (place === (edit.put.startsWith(')') ? from : to)) continue;
      result += text.slice(at, place) + edit.put;
      at = edit.until;
    }
    return result + text.slice(at, to);
  }
  const atTop = new Set<ts.Node>(head);
  const first = ts.getShebang(text)?.length ?? 0;
  const hoisted = head.map((node) => `var ${node.name?.text}=(${rewritten(node.getStart(file), node.end)});`);
  const others = file.statements.map((node) =>
    atTop.has(node) ? text.slice(node.pos, node.getStart(file)) : rewritten(Math.max(node.pos, first), node.end),
  );
  return [text.slice(0, first), ...hoisted.map((line) => `\n${line}`), ...others, text.slice(file.statements.end)].join(
    '',
  );
}

function isPlainMethod(node: ts.Node): node is ts.MethodDeclaration {
  return (
    ts.isMethodDeclaration(node) &&
    ts.isObjectLiteralExpression(node.parent) &&
    node.modifiers === undefined &&
    node.asteriskToken === undefined &&
    !/\bsuper\b/.test(node.getText())
  );
}
