import ts from 'typescript-5.9';
import { knownKinds } from '../../src/schema/record/kinds.ts';

const kinds: ReadonlySet<string> = new Set(knownKinds);
/** Two or three of these names are also names of settings and labels: `{ org, gvc }`. */
const fewestOfTable = 4;

/** The places where a file names kinds: each comparison with one, and each table with an entry for some. */
export interface KindNames {
  readonly comparisons: readonly string[];
  readonly tables: readonly string[];
}

export function kindNames(path: string, text: string): KindNames {
  const languageVersion = ts.ScriptTarget.Latest;
  const file = ts.createSourceFile(
    path,
    text,
    { languageVersion, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  );
  const comparisons: string[] = [];
  const tables: string[] = [];
  const placeOf = (node: ts.Node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
  const visit = (node: ts.Node): void => {
    if (isComparison(node, file)) comparisons.push(`${placeOf(node)} ${node.getText(file).split(':')[0]}`);
    if (isTable(node, file)) tables.push(`${placeOf(node)} ${node.getText(file).split('\n')[0]}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { comparisons, tables };
}

function isComparison(node: ts.Node, file: ts.SourceFile): boolean {
  if (ts.isCaseClause(node)) return isName(node.expression) && isKind(node.parent.parent.expression, file);
  if (!ts.isBinaryExpression(node)) return false;
  const { left, operatorToken, right } = node;
  if (!/^[!=]==$/.test(operatorToken.getText(file))) return false;
  return (isName(left) && isKind(right, file)) || (isName(right) && isKind(left, file));
}

function isName(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && kinds.has(node.text);
}

/** `kind`, `ref.kind`, `record['kind']`, `stringAt(record, 'targetKind')`, and the noun of a command. */
function isKind(node: ts.Node, file: ts.SourceFile): boolean {
  return /(?:kind|noun)\W*$/i.test(node.getText(file));
}

function isTable(node: ts.Node, file: ts.SourceFile): boolean {
  if (ts.isTypeReferenceNode(node) && node.typeName.getText(file) === 'Record')
    return /Kind\b/.test(node.typeArguments?.[0]?.getText(file) ?? '');
  const members = ts.isObjectLiteralExpression(node)
    ? node.properties
    : ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)
      ? node.members
      : [];
  const named = members.filter(({ name }) => name !== undefined && 'text' in name && kinds.has(String(name.text)));
  return named.length >= fewestOfTable;
}
