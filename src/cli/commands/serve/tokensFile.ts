import { readDocumentFile } from '../../../automation/files/documentFile.ts';
import { ToolError } from '../../../errors/toolError.ts';
import { own } from '../../../schema/json/json.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { readStaticTokens, type StaticToken } from '../../../server/rules/access/staticTokens.ts';

/**
 * The tokens of a file `{tokens: [{token, principal, expires?}]}`. Errors: `file.read`, `server.tokens`; never a token
 * in them.
 */
export async function readTokensFile(path: string, org: string): Promise<readonly StaticToken[]> {
  const document = await readDocumentFile(path, '--tokens');
  const problems: Problem[] = [];
  const tokens = readStaticTokens(own(document, 'tokens') ?? null, org, problems);
  const [first] = problems;
  if (first === undefined) return tokens;
  throw new ToolError({
    code: 'server.tokens',
    message: `${path}: ${['tokens', first.path].filter((part) => part !== '').join('.')}: ${first.message}`,
    hint: 'It is tokens: [{token: TEXT, principal: //user/EMAIL, expires: TIME}].',
  });
}
