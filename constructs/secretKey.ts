import { lastSegment } from '../src/schema/record/ref.ts';
import type { Linkable } from './linkable.ts';
import { notText } from './notText.ts';

/** One value of a secret: for environment variables and volumes. Created by `secret.key('password')`. */
export class SecretKey {
  readonly secret: Linkable<'secret'>;
  readonly key: string;

  constructor(secret: Linkable<'secret'>, key: string) {
    this.secret = secret;
    this.key = key;
  }

  /** `scheme://secret/NAME.KEY`. */
  get uri(): `scheme://secret/${string}` {
    return `scheme://secret/${lastSegment(this.secret.link)}.${this.key}`;
  }

  toJSON(): string {
    return this.uri;
  }

  /** The platform replaces only a whole value; inside of a longer text the reference would be kept. */
  [Symbol.toPrimitive](): never {
    throw notText(
      `a key of the secret "${lastSegment(this.secret.link)}"`,
      'The platform replaces whole values only. Give it a variable of its own (A: secret.key(…)), and let the program ' +
        'put the text together.',
    );
  }
}
