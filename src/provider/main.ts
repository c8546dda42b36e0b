import { causeText } from '../base/thrown.ts';
import { enableCompileCache } from '../project/files/compileCache.ts';
import { invitationOf } from './host/handshake.ts';

/** `terraform-provider-gantry --debug`: for a debugger, and for tests. */
const isDebugged = process.argv.slice(2).some((option) => /^--?debug$/.test(option));
const invitation = isDebugged ? {} : invitationOf(process.env);

if ('refusal' in invitation) {
  // Terraform shows any output that replaces the handshake.
  process.stdout.write(`${invitation.refusal}\n`);
  process.exitCode = 1;
} else {
  enableCompileCache(process.env);
  // Without `await`, so that it can also be bundled as CommonJS (scripts/executables.ts).
  const served = import('./serve.ts').then(({ serve }) => serve(invitation, isDebugged));
  served.catch((error: unknown) => {
    const reason = causeText(error);
    process.stdout.write(`The Gantry provider could not start: ${reason}\n`);
    process.exit(1);
  });
}
