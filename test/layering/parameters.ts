import ts from 'typescript-5.9';

/** With this many arguments, the order is hard to remember, and an unnamed concept is likely. */
const wideFrom = 5;

/** The functions, methods, accessors and constructors of a file with five or more parameters: line and name of each. */
export function wideFunctions(path: string, text: string): readonly string[] {
  const languageVersion = ts.ScriptTarget.Latest;
  const file = ts.createSourceFile(path, text, { languageVersion, jsDocParsingMode: ts.JSDocParsingMode.ParseNone });
  const found: string[] = [];
  const visit = (node: ts.Node, owner: ts.Node): void => {
    if (isWide(node, file)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push(`${path}:${line} ${nameOf(node, file) ?? nameOf(owner, file) ?? 'a function without a name'}`);
    }
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(file, file);
  return found;
}

/** Overloads and types have no body, so only their implementation counts. */
function isWide(node: ts.Node, file: ts.SourceFile): boolean {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return false;
  return node.parameters.filter(({ name }) => name.getText(file) !== 'this').length >= wideFrom;
}

function nameOf(node: ts.Node, file: ts.SourceFile): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  return 'name' in node && node.name !== undefined ? (node as ts.NamedDeclaration).name?.getText(file) : undefined;
}
