import { runScenario } from '../harness/scenario.ts';
import { scenario } from './10-stateful-database.ts';

runScenario(scenario);
