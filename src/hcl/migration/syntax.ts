/** A node of the syntax tree of one file. Offsets are those of its text. */
export interface Syntax {
  /** The type in the grammar: `block`, `attribute`, `variable_expr`, … */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Syntax[];
}

/** The tree of a text, or the offset of the first syntax error. */
export type Parse = (text: string) => { readonly root: Syntax } | { readonly errorOffset: number };

export function textOf({ start, end }: Syntax, text: string): string {
  return text.slice(start, end);
}

export function childOf(node: Syntax | undefined, ...types: readonly string[]): Syntax | undefined {
  return node?.children.find(({ type }) => types.includes(type));
}

export function* everyNode(node: Syntax): Generator<Syntax> {
  yield node;
  for (const child of node.children) yield* everyNode(child);
}

/** The expression itself, without wrapper nodes. */
export function innermost(node: Syntax): Syntax {
  const [only, ...others] = node.children;
  const isWrapper = ['expression', 'collection_value', 'literal_value', 'template_expr'].includes(node.type);
  return isWrapper && only !== undefined && others.length === 0 ? innermost(only) : node;
}

/** The text of a literal without templates; undefined for everything else. */
export function literalText(node: Syntax | undefined, text: string): string | undefined {
  if (node === undefined) return undefined;
  const inner = innermost(node);
  const parts = inner.children.filter(({ type }) => !/^quoted_template_(start|end)$/.test(type));
  if (inner.type !== 'string_lit' || parts.some(({ type }) => type !== 'template_literal')) return undefined;
  const value = parts.map((part) => textOf(part, text)).join('');
  return /[\\$%]/.test(value) ? undefined : value;
}

/** One step of a reference: `.name`, `[0]`, `[*]`. */
export interface Step {
  readonly is: 'name' | 'index' | 'splat';
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** `acme_app.web.container[0].image`: the first name, and what follows it. */
export interface Traversal {
  readonly first: Syntax;
  readonly name: string;
  readonly steps: readonly Step[];
}

export function* traversals(root: Syntax, text: string): Generator<Traversal> {
  for (const node of everyNode(root)) {
    for (const [at, first] of node.children.entries()) {
      if (first.type !== 'variable_expr') continue;
      const steps: Step[] = [];
      for (const next of node.children.slice(at + 1)) {
        if (!['get_attr', 'index', 'splat'].includes(next.type)) break;
        steps.push(...stepsOf(next, text));
      }
      yield { first, name: textOf(first, text), steps };
    }
  }
}

function stepsOf(node: Syntax, text: string): readonly Step[] {
  const { start, end } = node;
  if (node.type === 'get_attr') return [{ is: 'name', name: textOf(node, text).replace(/^\.\s*/, ''), start, end }];
  if (node.type === 'index') return [{ is: 'index', name: textOf(node, text), start, end }];
  const splat = childOf(node, 'full_splat', 'attr_splat') ?? node;
  const [after] = splat.children;
  return [
    { is: 'splat', name: '[*]', start, end: after?.start ?? end },
    ...splat.children.flatMap((child) => stepsOf(child, text)),
  ];
}
