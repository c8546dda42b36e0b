/** Made by `npm run generate`: one self-contained module per kind. */
declare module '#validators/*' {
  interface SchemaError {
    readonly instancePath: string;
    readonly keyword: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly propertyName?: string;
  }
  interface Validate {
    (value: unknown): boolean;
    readonly errors?: readonly SchemaError[] | null;
  }
  export const validate: Validate;
}
