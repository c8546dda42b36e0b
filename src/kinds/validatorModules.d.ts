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

/** A module is loaded when its kind is met, never before. Errors: none has this name. */
declare module '#validators/all' {
  export function load(name: string): Promise<typeof import('#validators/custom')>;
}

/** All that a manifest can be checked by, at once: for tests, which wait for nothing. */
declare module '#validators/declarable' {
  export const validators: ReadonlyMap<
    import('../schema/record/kinds.ts').Kind,
    typeof import('#validators/custom').validate
  >;
}
