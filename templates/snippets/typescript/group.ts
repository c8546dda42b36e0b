import { Group, type Stack } from 'gantry';

/** Users and service accounts to whom policies grant permissions together. */
export function addSampleGroup(stack: Stack): Group {
  return new Group(stack, 'sample', {
    // Users of the org and service accounts: '//user/NAME@EXAMPLE.COM', '//serviceaccount/NAME'.
    memberLinks: [],
  });
}
