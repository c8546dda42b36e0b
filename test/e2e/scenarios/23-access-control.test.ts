import { runScenario } from '../harness/scenario.ts';
import { scenario } from './23-access-control.ts';

runScenario(scenario);
