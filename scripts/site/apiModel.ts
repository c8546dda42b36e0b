import ts from 'typescript-5.9';
import { present } from '../../src/base/json/present.ts';

/** One exported name of an entry of the package. */
export interface ApiName {
  readonly name: string;
  readonly form: 'class' | 'function' | 'constant' | 'type';
  /** The text and the tags of its documentation. */
  readonly docs: Docs;
  /** Its declaration without documentation and members. */
  readonly signature: string;
  readonly members: readonly ApiMember[];
}

export interface ApiMember {
  readonly name: string;
  readonly signature: string;
  readonly docs: Docs;
}

export interface Docs {
  readonly text: string;
  readonly default?: string;
  readonly deprecated?: string;
  /** Section of docs/platform. */
  readonly section?: string;
}

/** The exports of an entry, from its declarations (`dist/types/src/index.d.ts`), in alphabetical order. */
export function apiNames(declarations: string): readonly ApiName[] {
  const program = ts.createProgram([declarations], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    strict: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(declarations);
  const entry = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (entry === undefined) throw new Error(`${declarations} is no module`);
  return checker
    .getExportsOfModule(entry)
    .map((symbol) => apiName(symbol, checker))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function apiName(exported: ts.Symbol, checker: ts.TypeChecker): ApiName {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const { declarations = [] } = symbol;
  // A name may be both a type and a constant: the constant has the documentation of both.
  const declaration = declarations.find(ts.isVariableDeclaration) ?? declarations[0];
  if (declaration === undefined) throw new Error(`${exported.name} has no declaration`);
  return {
    name: exported.name,
    form: formOf(declaration),
    docs: docsOf(symbol, checker),
    signature: signatureOf(declaration),
    members: membersOf(declaration, symbol, checker),
  };
}

function formOf(declaration: ts.Declaration): ApiName['form'] {
  if (ts.isClassDeclaration(declaration)) return 'class';
  if (ts.isFunctionDeclaration(declaration)) return 'function';
  return ts.isVariableDeclaration(declaration) ? 'constant' : 'type';
}

/** The line of the declaration. If it has members, everything before them. */
function signatureOf(declaration: ts.Declaration): string {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const text = node.getText().replace(/^export (?:declare )?/, '');
  if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration))
    return text.slice(0, text.indexOf('{')).trim();
  if (ts.isVariableDeclaration(declaration)) return `const ${declaration.name.getText()}`;
  return text;
}

function membersOf(declaration: ts.Declaration, symbol: ts.Symbol, checker: ts.TypeChecker): readonly ApiMember[] {
  if (ts.isClassDeclaration(declaration)) {
    return [declaration, ...generatedBases(declaration, checker)].flatMap(({ members }) =>
      members.flatMap((member) => memberOf(member, checker)),
    );
  }
  if (ts.isInterfaceDeclaration(declaration)) return propertiesOf(checker.getDeclaredTypeOfSymbol(symbol), checker);
  if (ts.isTypeAliasDeclaration(declaration)) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    return type.isUnion() && type.types.every(isInterface) ? membersOfUnion(type, checker) : [];
  }
  const type = ts.isVariableDeclaration(declaration) ? declaration.type : undefined;
  return type !== undefined && ts.isTypeLiteralNode(type)
    ? type.members.flatMap((member) => memberOf(member, checker))
    : [];
}

/** The class that it extends, if that is generated (`constructs/generated/`), because users do not import that one. */
function generatedBases(declaration: ts.ClassDeclaration, checker: ts.TypeChecker): readonly ts.ClassDeclaration[] {
  const [base] = declaration.heritageClauses?.flatMap(({ types }) => types) ?? [];
  const type = base === undefined ? undefined : checker.getTypeAtLocation(base.expression);
  const found = type?.symbol.declarations?.filter(ts.isClassDeclaration) ?? [];
  return found.filter((each) => each.getSourceFile().fileName.includes('/generated/'));
}

function isInterface({ symbol }: ts.Type): boolean {
  return symbol?.declarations?.some(ts.isInterfaceDeclaration) === true;
}

/** The members of all forms; for one that a form excludes (`image?: undefined`), that of another form. */
function membersOfUnion({ types }: ts.UnionType, checker: ts.TypeChecker): readonly ApiMember[] {
  const members = new Map<string, ApiMember>();
  for (const member of types.flatMap((type) => propertiesOf(type, checker))) {
    const before = members.get(member.name);
    if (before === undefined || /\?: undefined$/.test(before.signature)) members.set(member.name, member);
  }
  return [...members.values()];
}

/** The members of an interface and of all that it extends, so that a reader needs no second page. */
function propertiesOf(type: ts.Type, checker: ts.TypeChecker): readonly ApiMember[] {
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const member = property.declarations?.find((each) => ts.isPropertySignature(each) || ts.isMethodSignature(each));
    return member === undefined ? [] : memberOf(member, checker);
  });
}

function memberOf(member: ts.Declaration, checker: ts.TypeChecker): readonly ApiMember[] {
  if (ts.isConstructorDeclaration(member)) {
    return [{ name: 'constructor', signature: textOf(member), docs: docsOfNode(member) }];
  }
  const symbol = 'name' in member ? checker.getSymbolAtLocation(nameOf(member) ?? member) : undefined;
  if (symbol === undefined || symbol.name.startsWith('#') || symbol.name.startsWith('__')) return [];
  return [{ name: symbol.name, signature: textOf(member), docs: docsOf(symbol, checker) }];
}

function nameOf(member: ts.Declaration): ts.Node | undefined {
  return ts.getNameOfDeclaration(member);
}

function textOf(member: ts.Declaration): string {
  return member
    .getText()
    .replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\s*/gm, '')
    .replace(/^(?:readonly|declare) /, '')
    .replace(/;$/, '');
}

function docsOf(symbol: ts.Symbol, checker: ts.TypeChecker): Docs {
  return docs(ts.displayPartsToString(symbol.getDocumentationComment(checker)), symbol.getJsDocTags(checker));
}

function docsOfNode(node: ts.Node): Docs {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return docs(ts.getTextOfJSDocComment(comment?.comment) ?? '', []);
}

function docs(text: string, tags: readonly ts.JSDocTagInfo[]): Docs {
  const tag = (name: string) => {
    const found = tags.find((each) => each.name === name);
    return found === undefined ? undefined : ts.displayPartsToString(found.text).trim();
  };
  const [fallback, deprecated, see] = [tag('default'), tag('deprecated'), tag('see')];
  const section = /platform\/([\w.-]+)/.exec(see ?? '')?.[1];
  return {
    text,
    ...present({ default: fallback, deprecated, section }),
  };
}
