"""What the tests of the console's pages share: the arguments, checks, and how to get to a page."""
import os
import sys

kith, axe, pictures = (os.path.abspath(path) for path in sys.argv[1:4])
os.makedirs(pictures, exist_ok=True)


def check(condition, message):
    if not condition:
        name = os.path.basename(sys.argv[0]).replace(".py", "")
        sys.exit(f"browser/{name}: {message}")


def enter(browser, console, page):
    """Opens the console and goes to a page."""
    browser.open(console.address)
    browser.wait("document.querySelector('main').dataset.ready === 'data'")
    at(browser, page)


def at(browser, page):
    """Goes to a page by its link and waits until it is there."""
    browser.click(f'#pages a[href="#{page}"]')
    browser.wait(f"document.querySelector('main').dataset.ready === '{page}'")


def check_page(browser, name):
    """Fits the window, and axe finds nothing serious."""
    wide = browser.overflow()
    check(wide <= 0, f"{name}: {wide} pixels wider than the window")
    found = browser.barriers(axe)
    check(not found, f"{name}: {found}")


def picture(browser, name):
    browser.screenshot(os.path.join(pictures, f"console-{name}.png"))


def screen(browser, name, css="header"):
    """A picture of one screen, from an element on: for documents."""
    browser.run("document.querySelector(arguments[0]).scrollIntoView()", css)
    browser.screen(os.path.join(pictures, f"console-{name}-screen.png"))


def text_of(browser, css):
    return browser.run("return document.querySelector(arguments[0]).innerText", css)
