import { runScenario } from '../harness/scenario.ts';
import { scenarios } from './all.ts';

for (const scenario of scenarios) runScenario(scenario);
