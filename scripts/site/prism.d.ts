/** Prism has no declarations; these are the names that the site uses. */
declare module 'prismjs' {
  const Prism: {
    readonly languages: Readonly<Record<string, object | undefined>>;
    highlight(text: string, grammar: object, language: string): string;
  };
  export default Prism;
}

declare module 'prismjs/components/index.js' {
  export default function loadLanguages(names: readonly string[]): void;
}
