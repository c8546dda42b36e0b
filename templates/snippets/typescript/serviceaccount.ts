import { ServiceAccount, type Stack } from 'gantry';

/** An account for programs, such as CI. Its keys are made with the platform's own tools. */
export function addSample(stack: Stack): ServiceAccount {
  return new ServiceAccount(stack, 'sample', { description: 'Applies this stack in CI' });
}
