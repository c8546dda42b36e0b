import { Gvc, type Stack } from 'gantry';

/** Locations and settings that its workloads share. */
export function addSampleGvc(stack: Stack): Gvc {
  return new Gvc(stack, 'sample', {
    locations: ['aws-eu-central-1'],
    env: [{ name: 'LOG_LEVEL', value: 'info' }],
  });
}
