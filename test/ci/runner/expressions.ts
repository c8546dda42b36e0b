import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** The values of `github`, `secrets`, `vars` and `inputs` in an expression. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The value of one expression of GitHub Actions, by GitHub's own evaluator. */
export function evaluate(expression: string, contexts: Contexts): data.ExpressionData {
  const { tokens } = new Lexer(expression).lex();
  const expr = new Parser(tokens, Object.keys(contexts), [{ name: 'always', minArgs: 0, maxArgs: 0 }]).parse();
  const root: unknown = JSON.parse(JSON.stringify(contexts), data.reviver);
  if (!(root instanceof data.Dictionary)) throw new Error('the contexts are no dictionary');
  const always = { name: 'always', minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(true) };
  return new Evaluator(expr, root, new Map([['always', always]])).evaluate();
}

/** Replaces `${{ … }}` in a text. */
export function filled(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    evaluate(expression.trim(), contexts).coerceString(),
  );
}

export function isTrue(condition: string, contexts: Contexts): boolean {
  const value = evaluate(condition, contexts);
  return value.kind === data.Kind.Boolean ? value.coerceString() === 'true' : value.coerceString() !== '';
}
