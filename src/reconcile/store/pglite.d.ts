/** The used part of its types: the package is an optional peer, and not needed to check types. */
declare module '@electric-sql/pglite' {
  interface Results<T = Record<string, unknown>> {
    readonly rows: T[];
  }
  export class PGlite {
    static readonly defaultStartParams: readonly string[];
    static create(options: {
      readonly dataDir: string;
      readonly relaxedDurability?: boolean;
      readonly startParams?: readonly string[];
    }): Promise<PGlite>;
    query<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Results<T>>;
    exec<T = Record<string, unknown>>(text: string): Promise<Results<T>[]>;
    transaction<T>(work: (tx: Pick<PGlite, 'query' | 'exec'>) => Promise<T>): Promise<T>;
    listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
    close(): Promise<void>;
  }
}
