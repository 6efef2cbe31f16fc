// Looks at a page as a browser shows it: shown in a frame, and read out as JSON into the title of this one.
"use strict";
const frame = document.querySelector("iframe");

function rgb(text) {
  return (text.match(/[\d.]+/g) || []).map(Number);
}

function luminance(colour) {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// As WCAG 2.2 has it.
function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function look(page) {
  const css = (element) => page.defaultView.getComputedStyle(element);
  const paper = rgb(css(page.body).backgroundColor);
  const fills = [".paper", ".fill"].map((name) => page.querySelector(`.board ${name}`)).filter(Boolean);
  const grounds = (element) => (element.closest(".board") ? fills.map((fill) => rgb(css(fill).fill)) : [paper]);
  const ratios = [];
  for (const element of page.querySelectorAll("body *")) {
    const has = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!has || element.matches("title, desc")) continue;
    const ink = rgb(element.namespaceURI.endsWith("svg") ? css(element).fill : css(element).color);
    for (const ground of grounds(element)) ratios.push([contrast(ink, ground), element.tagName + "." + element.getAttribute("class")]);
  }
  const frames = [...page.querySelectorAll(".frame")].map((mark) => Math.min(...grounds(mark).map((g) => contrast(rgb(css(mark).stroke), g))));
  const stops = [...page.querySelectorAll("a, summary, [tabindex]")];
  const unseen = stops.filter((stop) => (stop.focus(), css(stop).outlineStyle === "none" || page.activeElement !== stop));
  for (const part of page.querySelectorAll("details")) part.open = true;
  return {
    dark: luminance(paper) < 0.2,
    overflow: page.documentElement.scrollWidth - page.documentElement.clientWidth,
    contrast: ratios.sort((a, b) => a[0] - b[0])[0],
    frames: Math.min(...frames),
    headings: [...page.querySelectorAll("h1, h2")].map((heading) => heading.tagName + " " + heading.textContent),
    stops: stops.length,
    unseen: unseen.length,
    nameless: page.querySelectorAll("svg:not(:has(> title)), svg:not([role=img])").length,
    dead: [...page.querySelectorAll("a")].filter((link) => !page.querySelector(link.getAttribute("href"))).length,
    loose: [...page.querySelectorAll("table")].filter((table) => !table.querySelector("th[scope]")).length,
    smallest: Math.min(...[...page.querySelectorAll(".chart text")].map((text) => text.getBoundingClientRect().height)),
    loaded: page.defaultView.performance.getEntriesByType("resource").length,
    scripts: page.scripts.length,
    said: page.defaultView.said === undefined ? "nothing" : page.defaultView.said,
  };
}

frame.addEventListener("load", () => {
  document.title = JSON.stringify(look(frame.contentDocument));
});
frame.srcdoc = JSON.parse(document.querySelector("#page").textContent);
