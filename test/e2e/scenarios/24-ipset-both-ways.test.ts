import { runScenario } from '../harness/scenario.ts';
import { scenario } from './24-ipset-both-ways.ts';

runScenario(scenario);
