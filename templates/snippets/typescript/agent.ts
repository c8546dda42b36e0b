import { Agent, type Stack } from 'gantry';

/** A way into a private network. An identity names it with the hosts that its workloads reach there. */
export function addSample(stack: Stack): Agent {
  return new Agent(stack, 'sample', { description: 'In the network of the office' });
}
