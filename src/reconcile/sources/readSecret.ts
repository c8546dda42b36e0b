import { ToolError } from '../../base/toolError.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readToken } from '../../project/files/readToken.ts';
import type { Environment } from '../../project/session/session.ts';
import type { SecretReference } from '../model.ts';

/** The secret, without white space around it. Errors: `reconcile.secret`, which quotes none. `about`: what it is for. */
export async function readSecret(reference: SecretReference, about: string, environment: Environment): Promise<string> {
  if ('env' in reference) {
    const value = environment[reference.env]?.trim();
    if (value !== undefined && value !== '') return value;
    throw missing(`${about}: the variable ${reference.env} is not set`, 'Set it where the worker is started.');
  }
  return readToken(reference.file).catch((error: unknown) => {
    throw missing(`${about}: ${reference.file}: ${systemReason(error)}`, 'Name a file that holds the secret alone.');
  });
}

function missing(message: string, hint: string): ToolError {
  return new ToolError({ code: 'reconcile.secret', message, hint });
}
