import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { JsonObject } from '../../base/json/json.ts';
import { ToolError } from '../../base/toolError.ts';
import { providerType } from '../../hcl/provider.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { runProgram } from '../../project/session/runProgram.ts';

/** A tool with a generator for the classes; none is installed with Gantry. */
export type BindingsTool = 'cdktn' | 'cdktf';

interface Generator {
  readonly package: string;
  /** The command that installs it with the packages that its classes need, in compatible versions. */
  readonly install: string;
}

/** cdktn refuses newer versions of `constructs`; the older generator does not declare all its dependencies. */
export const generators: Readonly<Record<BindingsTool, Generator>> = {
  cdktn: {
    package: '@cdktn/provider-generator',
    install: 'npm install -D @cdktn/provider-generator@0.24.0 cdktn@0.24.0 constructs@10.6.0',
  },
  cdktf: {
    package: '@cdktf/provider-generator',
    install:
      'npm install -D @cdktf/provider-generator@0.21.0 cdktf@0.21.0 constructs@10.4.2 jsii@5.9.54 jsii-pacmak@1.112.0',
  },
};

export interface Bindings {
  readonly tool: BindingsTool;
  /** Absolute: the folder with the generator. */
  readonly project: string;
  /** Absolute: the output folder. */
  readonly out: string;
  /** In the form of `terraform providers schema -json`. */
  readonly schema: JsonObject;
  readonly source: string;
  readonly version: string;
}

/**
 * Writes typed classes with the generator installed in the project: `OUT/providers/gantry/<resource>/index.ts`. It runs
 * in its own process, because it logs and calls Terraform for its version. Returns the folder of the classes.
 *
 * Errors: `terraform.generator` if it is missing or broken, `terraform.files`.
 */
export async function makeBindings({ tool, project, out, schema, source, version }: Bindings): Promise<string> {
  const { package: name, install } = generators[tool];
  const path = resolved(name, project);
  if (path === undefined) {
    throw new ToolError({
      code: 'terraform.generator',
      message: `${name} is not installed in ${project}; it makes the classes`,
      hint: `Run: ${install}`,
    });
  }
  await makeFolder(out);
  const input = JSON.stringify({ ...schema, provider_versions: { [source]: version } });
  const { code, stderrTail, error } = await runProgram(
    process.execPath,
    ['--input-type=commonjs', '-e', program, path, out],
    { input },
  );
  if (error !== undefined) throw error;
  const made = join(out, 'providers', providerType);
  if (code === 0 && existsSync(made)) return made;
  throw new ToolError({
    code: 'terraform.generator',
    message: `${name} does not work: ${code === 0 ? 'it created no classes' : reasonOf(stderrTail)}`,
    hint: `These versions work together: ${install}`,
  });
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw new ToolError({
      code: 'terraform.files',
      message: `${path} cannot be made a folder: ${systemReason(error)}`,
      hint: 'Choose another --out, or correct its permissions.',
      cause: error,
    });
  });
}

function resolved(name: string, project: string): string | undefined {
  try {
    return createRequire(join(project, 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}

const program = `
const [, path, out] = process.argv;
let text = '';
process.stdin.setEncoding('utf8').on('data', (more) => { text += more; }).on('end', async () => {
  await require(path).generateProviderBindingsFromSchema(out, JSON.parse(text));
  process.exit(0);
});
`;

/** The line with the error in Node's output for an uncaught one. */
function reasonOf(said: string): string {
  return /^\w*Error.*$/m.exec(said)?.[0] ?? (said.trim().split('\n').at(-1) || 'it ended without a message');
}
