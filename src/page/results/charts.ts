/** The library of charts over time: a script of its own, which the page loads for its first chart. Reports contain it. */
import uPlot from 'uplot';

Object.assign(globalThis, { uPlot });
