/**
 * Where the program that loads a stack file collects the apps that the file makes. A registered symbol, because the
 * stack may use another copy of this package than the program.
 */
export const appCollector: unique symbol = Symbol.for('gantry.apps');
