// A page that has its text in itself, as the help; only the bar above is made here.
import { frame } from "/static/frame.js";

frame();
